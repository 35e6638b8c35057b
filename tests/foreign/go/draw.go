// Draw random legal answers to questions, from the comments of landsraad/v1/ask.proto alone.
package main

import (
	"fmt"
	"math/rand"
	"sort"
	"strings"

	pb "landsraad/v1"
)

// How many positions of the search one choice may cost.
const mostPositions = 20_000

// How many random values stand for a domain that is too large to list.
const samples = 40

// How many walks of a path are listed at most.
const mostWalks = 500

// Neighbours of each area, by the name of the graph.
type graphs map[string]map[string][]string

func readGraphs(game *pb.Game) graphs {
	all := graphs{}
	for _, graph := range game.Graphs {
		areas := map[string][]string{}
		for _, area := range graph.Areas {
			areas[area.Id] = area.Neighbours
		}
		all[graph.Name] = areas
	}
	return all
}

// Return a text that is equal for equal values. A flag differs from a number.
func key(value *pb.Value) string {
	switch kind := value.GetKind().(type) {
	case *pb.Value_Number:
		return fmt.Sprintf("n%d", kind.Number)
	case *pb.Value_Text:
		return fmt.Sprintf("t%q", kind.Text)
	case *pb.Value_Flag:
		return fmt.Sprintf("f%t", kind.Flag)
	case *pb.Value_List:
		return "[" + strings.Join(keys(kind.List.Items), ",") + "]"
	}
	return "-"
}

func keys(values []*pb.Value) []string {
	texts := make([]string, len(values))
	for index, value := range values {
		texts[index] = key(value)
	}
	return texts
}

func number(value int32) *pb.Value { return &pb.Value{Kind: &pb.Value_Number{Number: value}} }

func list(items []*pb.Value) *pb.Value {
	return &pb.Value{Kind: &pb.Value_List{List: &pb.ValueList{Items: items}}}
}

// Collect random values without repetition.
func sample(make func() *pb.Value) []*pb.Value {
	var found []*pb.Value
	seen := map[string]bool{}
	for range [samples]struct{}{} {
		value := make()
		if !seen[key(value)] {
			seen[key(value)] = true
			found = append(found, value)
		}
	}
	return found
}

func shuffle(random *rand.Rand, items []*pb.Value) []*pb.Value {
	copied := append([]*pb.Value(nil), items...)
	random.Shuffle(len(copied), func(a, b int) { copied[a], copied[b] = copied[b], copied[a] })
	return copied
}

func between(random *rand.Rand, low, high int32) int { return int(low) + random.Intn(int(high-low)+1) }

func subset(random *rand.Rand, domain *pb.Subset) []*pb.Value {
	high := domain.High
	if int(high) > len(domain.Items) {
		high = int32(len(domain.Items))
	}
	if domain.Low > high {
		return nil
	}
	return sample(func() *pb.Value {
		taken := random.Perm(len(domain.Items))[:between(random, domain.Low, high)]
		sort.Ints(taken)
		items := make([]*pb.Value, len(taken))
		for index, which := range taken {
			items[index] = domain.Items[which]
		}
		return list(items)
	})
}

func allocation(random *rand.Rand, domain *pb.Alloc) []*pb.Value {
	var units []int
	for slot, cap := range domain.Caps {
		for unit := int32(0); unit < cap; unit++ {
			units = append(units, slot)
		}
	}
	high := domain.High
	if int(high) > len(units) {
		high = int32(len(units))
	}
	if domain.Low > high {
		return nil
	}
	return sample(func() *pb.Value {
		amounts := make([]int32, len(domain.Caps))
		for _, which := range random.Perm(len(units))[:between(random, domain.Low, high)] {
			amounts[units[which]]++
		}
		items := make([]*pb.Value, len(amounts))
		for slot, amount := range amounts {
			items[slot] = number(amount)
		}
		return list(items)
	})
}

func contains(words []string, word string) bool {
	for _, each := range words {
		if each == word {
			return true
		}
	}
	return false
}

func walks(random *rand.Rand, path *pb.Path, all graphs) []*pb.Value {
	var found []*pb.Value
	var walk func(areas []string)
	walk = func(areas []string) {
		if len(found) >= mostWalks {
			return
		}
		here, moved := areas[len(areas)-1], len(areas) > 1
		if moved && (path.Ends == nil || contains(path.Ends.Items, here)) {
			items := make([]*pb.Value, len(areas))
			for index, area := range areas {
				items[index] = &pb.Value{Kind: &pb.Value_Text{Text: area}}
			}
			found = append(found, list(items))
		}
		if len(areas) > int(path.Steps) || (moved && contains(path.Stops, here)) {
			return
		}
		neighbours := all[path.Graph][here]
		for _, which := range random.Perm(len(neighbours)) {
			next := neighbours[which]
			if !contains(path.Blocked, next) && !contains(areas, next) {
				walk(append(append([]string(nil), areas...), next))
			}
		}
	}
	walk([]string{path.Start})
	return shuffle(random, found)
}

// Return values of a domain in random order: all of a small one, some of a large one.
func values(random *rand.Rand, domain *pb.Domain, all graphs) []*pb.Value {
	switch kind := domain.Kind.(type) {
	case *pb.Domain_OneOf:
		return shuffle(random, kind.OneOf.Items)
	case *pb.Domain_Range:
		var items []*pb.Value
		for value := kind.Range.Low; value <= kind.Range.High; value++ {
			items = append(items, number(value))
		}
		return shuffle(random, items)
	case *pb.Domain_Subset:
		return subset(random, kind.Subset)
	case *pb.Domain_Alloc:
		return allocation(random, kind.Alloc)
	case *pb.Domain_Order:
		return sample(func() *pb.Value { return list(shuffle(random, kind.Order.Items)) })
	case *pb.Domain_Path:
		return walks(random, kind.Path, all)
	}
	panic(fmt.Sprintf("a domain of a kind that this client does not know: %v", domain))
}

// Return what one field adds to a sum.
func counted(term *pb.Term, value *pb.Value) int {
	if len(term.Table) > 0 {
		for _, row := range term.Table {
			if key(row.Value) == key(value) {
				return int(row.Number)
			}
		}
		return 0
	}
	items := value.GetList().GetItems()
	if len(term.Weights) > 0 {
		sum := 0
		for index, item := range items {
			sum += int(item.GetNumber()) * int(term.Weights[index])
		}
		return sum
	}
	amount := 0
	switch kind := value.GetKind().(type) {
	case *pb.Value_Number:
		amount = int(kind.Number)
	case *pb.Value_Flag:
		if kind.Flag {
			amount = 1
		}
	case *pb.Value_List:
		for _, item := range items {
			if _, plain := item.GetKind().(*pb.Value_Number); !plain {
				return int(term.Weight) * len(items)
			}
			amount += int(item.GetNumber())
		}
	}
	return int(term.Weight) * amount
}

// Return the names of the fields that a constraint is about.
func concerned(constraint *pb.Constraint) []string {
	var names []string
	switch kind := constraint.Kind.(type) {
	case *pb.Constraint_Clause:
		for _, literal := range kind.Clause.Literals {
			names = append(names, literal.Field)
		}
	case *pb.Constraint_Linear:
		for _, term := range kind.Linear.Terms {
			names = append(names, term.Field)
		}
	case *pb.Constraint_Distinct:
		names = kind.Distinct.Names
	case *pb.Constraint_Rows:
		names = kind.Rows.Names
	default:
		panic(fmt.Sprintf("a constraint of a kind that this client does not know: %v", constraint))
	}
	return names
}

// Return true if a constraint holds, given the values of all its fields.
func holds(constraint *pb.Constraint, given map[string]*pb.Value) bool {
	switch kind := constraint.Kind.(type) {
	case *pb.Constraint_Clause:
		for _, literal := range kind.Clause.Literals {
			if contains(keys(literal.Values), key(given[literal.Field])) == literal.Wanted {
				return true
			}
		}
		return false
	case *pb.Constraint_Linear:
		sum := 0
		for _, term := range kind.Linear.Terms {
			sum += counted(term, given[term.Field])
		}
		low, high := kind.Linear.Low, kind.Linear.High
		return (low == nil || sum >= int(*low)) && (high == nil || sum <= int(*high))
	case *pb.Constraint_Distinct:
		seen := map[string]bool{"-": false}
		for _, name := range kind.Distinct.Names {
			held := key(given[name])
			if seen[held] {
				return false
			}
			seen[held] = held != "-"
		}
		return true
	case *pb.Constraint_Rows:
		var here []string
		for _, name := range kind.Rows.Names {
			here = append(here, key(given[name]))
		}
		for _, row := range kind.Rows.Rows {
			if strings.Join(keys(row.Items), ",") == strings.Join(here, ",") {
				return true
			}
		}
		return false
	}
	panic(fmt.Sprintf("a constraint of a kind that this client does not know: %v", constraint))
}

// Draw an act of one choice, or return nil if none was found.
func fromChoice(random *rand.Rand, choice *pb.Choice, all graphs) *pb.GenericAct {
	position := map[string]int{}
	for index, field := range choice.Fields {
		position[field.Name] = index
	}
	// A constraint is checked as soon as the last of its fields has a value.
	due := make([][]*pb.Constraint, len(choice.Fields))
	for _, constraint := range choice.Constraints {
		last := 0
		for _, name := range concerned(constraint) {
			if position[name] > last {
				last = position[name]
			}
		}
		due[last] = append(due[last], constraint)
	}
	left := mostPositions
	given := map[string]*pb.Value{}
	var fill func(index int) bool
	fill = func(index int) bool {
		if index == len(choice.Fields) {
			return true
		}
		field := choice.Fields[index]
	candidates:
		for _, value := range values(random, field.Domain, all) {
			if left--; left < 0 {
				return false
			}
			given[field.Name] = value
			for _, constraint := range due[index] {
				if !holds(constraint, given) {
					continue candidates
				}
			}
			if fill(index + 1) {
				return true
			}
		}
		return false
	}
	if !fill(0) {
		return nil
	}
	act := &pb.GenericAct{Name: choice.Act}
	for _, field := range choice.Fields {
		act.Fields = append(act.Fields, &pb.NamedValue{Name: field.Name, Value: given[field.Name]})
	}
	return act
}

// Draw an answer to a question.
func draw(random *rand.Rand, question *pb.Question, all graphs) (*pb.GenericAct, error) {
	choices := question.GetOptions().GetChoices()
	for _, which := range random.Perm(len(choices)) {
		if act := fromChoice(random, choices[which], all); act != nil {
			return act, nil
		}
	}
	return nil, fmt.Errorf("no answer was found to %v", question)
}
