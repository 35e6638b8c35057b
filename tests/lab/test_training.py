"""The training of values: fits find what made the data, and reports tell what they are worth."""

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from landsraad_bots.searching import values as learned
from landsraad_bots.searching.features import dune
from landsraad_cli.app import app
from landsraad_lab.training import fitting, values
from landsraad_lab.training.positions import SelfPlayPlan, positions


@pytest.mark.parametrize("rows", [1, 4])
def test_a_fit_finds_the_weights_that_made_the_data(rows: int) -> None:
    rng = np.random.default_rng(1)
    truth = np.array([1.5, -1.0, 0.0, 0.5])
    features = rng.normal(size=(6000, rows, 4))
    chances = fitting.probabilities(features, truth)
    if rows == 1:
        shares = (rng.random(chances.shape) < chances).astype(float)
    else:
        picked = (rng.random((6000, 1)) > chances.cumsum(axis=1)).sum(axis=1)
        shares = np.eye(rows)[picked]
    fitted = fitting.fit(features[:5000], shares[:5000], features[5000:], shares[5000:])
    assert fitted.weights == pytest.approx(truth, abs=0.15)
    found = fitting.probabilities(features[5000:], fitted.weights)
    assert fitting.log_loss(found, shares[5000:]) < fitting.ignorance(shares[5000:], shares[:5000]) - 0.1
    for count, predicted, won in fitting.calibration(found, shares[5000:]):
        assert won == pytest.approx(predicted, abs=4 * (0.25 / count) ** 0.5)


def test_training_stops_before_it_learns_the_boards_by_heart() -> None:
    rng = np.random.default_rng(2)
    features = rng.normal(size=(40, 1, 30))  # noise, with nearly as many features as positions
    shares = (rng.random((40, 1)) < 0.5).astype(float)
    other = rng.normal(size=(2000, 1, 30)), (rng.random((2000, 1)) < 0.5).astype(float)
    fitted = fitting.fit(features, shares, *other)
    assert fitting.log_loss(fitting.probabilities(other[0], fitted.weights), other[1]) < 0.8


@pytest.mark.parametrize(
    ("game", "seats", "models"), [("dune", 3, {"faction"}), ("arrakis", 2, {"harkonnen", "atreides"})]
)
def test_positions_are_seen_by_each_seat_and_shares_add_up(game: str, seats: int, models: set[str]) -> None:
    found = positions(SelfPlayPlan(game, seats, {}, "random", 1), 5)
    assert found == positions(SelfPlayPlan(game, seats, {}, "random", 1), 5)
    assert {position.model for position in found} == models
    for position in found:
        assert len(position.rows) == len(position.shares)
        if game == "dune":
            assert sum(position.shares) == pytest.approx(1)


def test_weights_are_read_by_the_searching_bots() -> None:
    plan = SelfPlayPlan("dune", 2, {}, "random", 3)
    data = values.play(plan, 20, 1, lambda: None)
    trained = values.train("dune", 2, data, 20, "landsraad train value dune")
    assert trained.positions == len(data)
    weights = learned.read_weights(learned.write_weights(trained.weights))
    assert weights == trained.weights
    assert set(weights.weights["faction"]) == set(dune.NAMES)
    assert weights.ignorance == pytest.approx(np.log(2), abs=0.01)


def test_too_few_boards_are_refused() -> None:
    data = values.play(SelfPlayPlan("dune", 2, {}, "random", 3), 3, 1, lambda: None)
    with pytest.raises(ValueError, match="ten boards"):
        values.train("dune", 2, data, 3, "")


def test_the_command_checks_its_arguments(tmp_path: Path) -> None:
    run = CliRunner().invoke
    assert "no features" in run(app, ["train", "value", "errand"]).output
    assert run(app, ["train", "value", "dune", "--matches", "3"]).exit_code == 2
    assert run(app, ["train", "value", "dune", "--bot", "nobody"]).exit_code == 2
    assert json.loads(learned.write_weights(learned.Weights("dune", 2, {}, 1.0, 1.4, (), 5, "c")))["seats"] == 2
