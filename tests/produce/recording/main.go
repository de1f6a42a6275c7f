// The server whose stdio the files beside this were recorded from, with the Go SDK v1.8.0:
// tee requests.jsonl | ./server | tee answers.jsonl
package main

import (
	"context"
	"errors"
	"log"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type Search struct {
	Query string `json:"query" jsonschema:"words to look for"`
	Limit int    `json:"limit,omitempty" jsonschema:"at most this many"`
	Place *Place `json:"place,omitempty" jsonschema:"where"`
}

type Place struct {
	City string `json:"city" jsonschema:"the city"`
}

type Found struct {
	Query  string   `json:"query"`
	Dishes []string `json:"dishes"`
	Total  float64  `json:"total"`
	City   string   `json:"city,omitempty"`
	Error  string   `json:"error,omitempty"`
}

type Nothing struct{}

type Balance struct {
	Amount float64 `json:"amount"`
}

func main() {
	server := mcp.NewServer(&mcp.Implementation{Name: "recorded", Version: "v1.0.0"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "dish_find", Title: "Find dishes", Description: "Finds dishes."},
		func(_ context.Context, _ *mcp.CallToolRequest, in Search) (*mcp.CallToolResult, Found, error) {
			if in.Query == "broken" {
				return nil, Found{}, errors.New("failed to find dishes")
			}
			if in.Query == "closed" {
				return &mcp.CallToolResult{IsError: true}, Found{Query: in.Query, Dishes: []string{}, Error: "closed <today> & \u2028 so on"}, nil
			}
			dishes := strings.Fields(strings.Repeat(in.Query+"-roll ", 3))
			if in.Limit > 0 && in.Limit < len(dishes) {
				dishes = dishes[:in.Limit]
			}
			found := Found{Query: in.Query, Dishes: dishes, Total: 12.5 * float64(len(dishes))}
			if in.Place != nil {
				found.City = in.Place.City
			}
			return nil, found, nil
		})
	mcp.AddTool(server, &mcp.Tool{Name: "wallet_show", Description: "Shows the wallet."},
		func(context.Context, *mcp.CallToolRequest, Nothing) (*mcp.CallToolResult, Balance, error) {
			return nil, Balance{Amount: 185.5}, nil
		})
	if err := server.Run(context.Background(), &mcp.StdioTransport{}); err != nil {
		log.Print(err)
	}
}
