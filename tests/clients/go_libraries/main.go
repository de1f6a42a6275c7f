// Clients in Go as their users run them: connects in the library's default mode, lists the tools,
// calls one, and prints what was negotiated and answered.
//
//	clients go-sdk|mcp-go http|sse URL
//	clients go-sdk|mcp-go stdio COMMAND ARGUMENT...
package main

import (
	"context"
	"encoding/json"
	"log"
	"os"
	"os/exec"
	"time"

	"github.com/mark3labs/mcp-go/client"
	mcpgo "github.com/mark3labs/mcp-go/mcp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type outcome struct {
	Version string `json:"version"`
	Tools   int    `json:"tools"`
	Answer  string `json:"answer"`
}

const tool = "reverse_geocode"

var arguments = map[string]any{"latitude": 25.0866, "longitude": 55.1474}

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	talk := map[string]func(context.Context, string, []string) (outcome, error){
		"go-sdk": goSDK, "mcp-go": mcpGo,
	}[os.Args[1]]
	said, err := talk(ctx, os.Args[2], os.Args[3:])
	if err != nil {
		log.Fatal(err)
	}
	json.NewEncoder(os.Stdout).Encode(said)
}

func goSDK(ctx context.Context, transport string, target []string) (said outcome, err error) {
	var to mcp.Transport
	switch transport {
	case "http":
		to = &mcp.StreamableClientTransport{Endpoint: target[0]}
	case "sse":
		to = &mcp.SSEClientTransport{Endpoint: target[0]}
	case "stdio":
		to = &mcp.CommandTransport{Command: exec.Command(target[0], target[1:]...)}
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "go", Version: "1"}, nil).Connect(ctx, to, nil)
	if err != nil {
		return said, err
	}
	defer session.Close()
	said.Version = session.InitializeResult().ProtocolVersion
	tools, err := session.ListTools(ctx, nil)
	if err != nil {
		return said, err
	}
	said.Tools = len(tools.Tools)
	result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		return said, err
	}
	said.Answer = result.Content[0].(*mcp.TextContent).Text
	return said, nil
}

func mcpGo(ctx context.Context, transport string, target []string) (said outcome, err error) {
	var to *client.Client
	switch transport {
	case "http":
		to, err = client.NewStreamableHttpClient(target[0])
	case "sse":
		to, err = client.NewSSEMCPClient(target[0])
	case "stdio":
		to, err = client.NewStdioMCPClient(target[0], nil, target[1:]...)
	}
	if err != nil {
		return said, err
	}
	defer to.Close()
	if transport != "stdio" {
		if err = to.Start(ctx); err != nil {
			return said, err
		}
	}
	request := mcpgo.InitializeRequest{}
	request.Params.ClientInfo = mcpgo.Implementation{Name: "go", Version: "1"}
	if _, err = to.Initialize(ctx, request); err != nil {
		return said, err
	}
	said.Version = to.ProtocolVersion()
	tools, err := to.ListTools(ctx, mcpgo.ListToolsRequest{})
	if err != nil {
		return said, err
	}
	said.Tools = len(tools.Tools)
	call := mcpgo.CallToolRequest{}
	call.Params.Name = tool
	call.Params.Arguments = arguments
	result, err := to.CallTool(ctx, call)
	if err != nil {
		return said, err
	}
	said.Answer = result.Content[0].(mcpgo.TextContent).Text
	return said, nil
}
