"""Parse every PromQL expression in Prometheus's rules and Grafana's dashboards; see tools/check_deploy.py.

    python tools/check_promql.py FOLDER

Runs in the environment of the deployment checkers, which has a PromQL parser.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import promql_parser  # type: ignore[import-not-found]  # see above
import yaml


def expressions(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield each expression with its location."""
    for path in sorted(folder.glob("prometheus/rules*.yml")):
        for group in yaml.safe_load(path.read_text())["groups"]:
            for rule in group["rules"]:
                yield f"{path.name}: {rule.get('alert') or rule['record']}", rule["expr"]
    for path in sorted(folder.glob("grafana/dashboards/*.json")):
        dashboard: dict[str, Any] = json.loads(path.read_text())
        for panel in dashboard["panels"]:
            for target in panel.get("targets", ()):
                yield f"{path.name}: {panel['title']}", target["expr"]
        for annotation in dashboard["annotations"]["list"]:
            yield f"{path.name}: {annotation['name']}", annotation["expr"]


def main() -> int:
    """Report the expressions that do not parse, and the number of all."""
    found = list(expressions(Path(sys.argv[1])))
    wrong = 0
    for place, expression in found:
        try:
            promql_parser.parse(expression)
        except ValueError as error:
            print(f"{place}: {expression}: {error}")
            wrong += 1
    print(f"{len(found)} expressions, {wrong} wrong")
    return 1 if wrong or not found else 0


if __name__ == "__main__":
    sys.exit(main())
