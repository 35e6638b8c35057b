// Play whole matches with random legal acts: a connection for each seat, from the protocol files alone.
//
//	client SERVER GAME SEATS MATCHES SEED
//
// It prints one line of JSON for each match and fails at the first refusal that is the client's fault.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand"
	"os"
	"strconv"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"

	pb "landsraad/v1"
)

// The longest that one match may take.
const patience = 5 * time.Minute

// What happened in a match; the same as the Node clients print.
type played struct {
	Game     string  `json:"game"`
	Seats    int     `json:"seats"`
	Acts     int     `json:"acts"`
	Late     int     `json:"late"`
	State    string  `json:"state"`
	Kind     string  `json:"kind"`
	Ending   string  `json:"ending"`
	Winners  []int32 `json:"winners"`
	Replayed int     `json:"replayed"`
}

// What happened at one seat.
type seatPlayed struct {
	acts, late int
	err        error
}

func dial(server string) (*grpc.ClientConn, error) {
	return grpc.Dial(server, grpc.WithInsecure())
}

// Play one seat on a connection of its own until its match is over.
func playSeat(ctx context.Context, server string, subscribe *pb.Subscribe, all graphs, seed int64) (result seatPlayed) {
	connection, err := dial(server)
	if err != nil {
		return seatPlayed{err: err}
	}
	defer connection.Close()
	stream, err := pb.NewPlayClient(connection).Connect(ctx)
	if err != nil {
		return seatPlayed{err: err}
	}
	send := func(item *pb.ClientItem) {
		if result.err == nil {
			result.err = stream.Send(&pb.ClientFrame{Items: []*pb.ClientItem{item}})
		}
	}
	send(&pb.ClientItem{Subscription: 1, Item: &pb.ClientItem_Subscribe{Subscribe: subscribe}})
	random := rand.New(rand.NewSource(seed))
	var question *pb.Question
	var number, answered, seq uint64
	for result.err == nil {
		frame, err := stream.Recv()
		if err == io.EOF {
			return result
		}
		if err != nil {
			result.err = err
			return result
		}
		for _, item := range frame.Items {
			switch kind := item.Item.(type) {
			case *pb.ServerItem_Ping:
				send(&pb.ClientItem{Item: &pb.ClientItem_Pong{Pong: kind.Ping}})
			case *pb.ServerItem_Entries:
				for index, entry := range kind.Entries.Entries {
					switch body := entry.Body.(type) {
					case *pb.Entry_Question:
						question, number = body.Question, kind.Entries.First+uint64(index)
					case *pb.Entry_Answer, *pb.Entry_Withdrawn:
						question = nil
					}
				}
			case *pb.ServerItem_Ack:
				result.acts++
			case *pb.ServerItem_Refusal:
				reason := kind.Refusal.Reason
				if reason != pb.ErrorReason_ERROR_REASON_STALE && reason != pb.ErrorReason_ERROR_REASON_OVER {
					result.err = fmt.Errorf("refused: %v", kind.Refusal)
				}
				result.late++
			case *pb.ServerItem_Closed:
				if kind.Closed.Reason != pb.ClosedReason_CLOSED_REASON_OVER {
					result.err = fmt.Errorf("closed: %v", kind.Closed)
				}
				if err := stream.CloseSend(); err != nil {
					result.err = err
				}
			}
		}
		if question != nil && number > answered {
			act, err := draw(random, question, all)
			if err != nil {
				result.err = err
				return result
			}
			answered, seq = number, seq+1
			send(&pb.ClientItem{Subscription: 1, Item: &pb.ClientItem_Submit{Submit: &pb.SubmitItem{
				Seq:      seq,
				MeantFor: &pb.SubmitItem_DecisionId{DecisionId: number},
				Act:      &pb.Act{Game: &pb.Act_Generic{Generic: act}},
			}}})
		}
	}
	return result
}

// Create a match, play all its seats, and look at it afterwards.
func playMatch(server, game string, seats int, seed int64) (*played, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	ctx = metadata.AppendToOutgoingContext(ctx, "authorization", fmt.Sprintf("Bearer landsraad_guest_foreign_go_%d", os.Getpid()))
	connection, err := dial(server)
	if err != nil {
		return nil, err
	}
	defer connection.Close()
	described, err := pb.NewCatalogClient(connection).GetGame(ctx, &pb.GetGameRequest{Name: "games/" + game, Seats: int32(seats)})
	if err != nil {
		return nil, err
	}
	all := readGraphs(described)
	matches := pb.NewMatchesClient(connection)
	wanted := &pb.Match{Game: "games/" + game, Title: "foreign client"}
	for seat := 0; seat < seats; seat++ {
		wanted.Seats = append(wanted.Seats, &pb.Seat{})
	}
	created, err := matches.CreateMatch(ctx, &pb.CreateMatchRequest{
		Match: wanted, RequestId: fmt.Sprintf("foreign-go-%d-%d", os.Getpid(), seed),
	})
	if err != nil {
		return nil, err
	}
	results := make(chan seatPlayed, seats)
	for seat := 0; seat < seats; seat++ {
		joined, err := matches.JoinMatch(ctx, &pb.JoinMatchRequest{Name: created.Name, Player: fmt.Sprintf("player %d", seat)})
		if err != nil {
			return nil, err
		}
		subscribe := &pb.Subscribe{Match: created.Name, Seat: joined.Seat, Credential: joined.Credential, From: &pb.Cursor{From: 1}}
		go func(seed int64) { results <- playSeat(ctx, server, subscribe, all, seed) }(seed*100 + int64(seat))
	}
	outcome := &played{Game: game, Seats: seats, Winners: []int32{}}
	for seat := 0; seat < seats; seat++ {
		result := <-results
		if result.err != nil {
			return nil, result.err
		}
		outcome.Acts += result.acts
		outcome.Late += result.late
	}
	finished, err := matches.GetMatch(ctx, &pb.GetMatchRequest{Name: created.Name})
	if err != nil {
		return nil, err
	}
	replay, err := pb.NewReplaysClient(connection).GetReplay(ctx, &pb.GetReplayRequest{
		Name: strings.Replace(created.Name, "matches/", "replays/", 1), Seat: new(int32), PageSize: 1,
	})
	if err != nil {
		return nil, err
	}
	outcome.State, outcome.Kind = finished.State.String(), finished.GetResult().GetKind().String()
	outcome.Ending, outcome.Replayed = finished.GetResult().GetEnding(), len(replay.GetEntries().GetEntries())
	outcome.Winners = append(outcome.Winners, finished.GetResult().GetWinners()...)
	return outcome, nil
}

func run(arguments []string) error {
	if len(arguments) != 5 {
		return fmt.Errorf("usage: client SERVER GAME SEATS MATCHES SEED")
	}
	var numbers [3]int
	for index, text := range arguments[2:] {
		value, err := strconv.Atoi(text)
		if err != nil {
			return err
		}
		numbers[index] = value
	}
	for match := 0; match < numbers[1]; match++ {
		outcome, err := playMatch(arguments[0], arguments[1], numbers[0], int64(numbers[2]+match))
		if err != nil {
			return err
		}
		if err := json.NewEncoder(os.Stdout).Encode(outcome); err != nil {
			return err
		}
	}
	return nil
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
