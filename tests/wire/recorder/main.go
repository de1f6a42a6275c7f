// The Go SDK server that the recordings in ../parity are taken from (see ../record.ts).
//
//	recorder DEFINITIONS       serves HTTP on a free port of this machine and prints the port
//	recorder DEFINITIONS -     serves stdio
//
// DEFINITIONS is a JSON file of tools; each answers with its arguments.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const widget = "ui://careem-mcp-app"

func main() {
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	var tools []*mcp.Tool
	if err := json.Unmarshal(text, &tools); err != nil {
		log.Fatal(err)
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "careem-mcp-service", Version: "v1.0.0"}, nil)
	for _, tool := range tools {
		tool.OutputSchema = nil
		mcp.AddTool(server, tool, echo)
	}
	resource := &mcp.Resource{URI: widget, Name: "careem-mcp-app", MIMEType: "text/html;profile=mcp-app"}
	server.AddResource(resource, readWidget)

	if len(os.Args) > 2 {
		log.Fatal(server.Run(context.Background(), &mcp.StdioTransport{}))
	}
	one := func(*http.Request) *mcp.Server { return server }
	mux := http.NewServeMux()
	mux.Handle("/mcp", mcp.NewStreamableHTTPHandler(one, nil))
	mux.Handle("/sse", mcp.NewSSEHandler(one, nil))
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	log.Fatal(http.Serve(listener, mux))
}

func echo(_ context.Context, _ *mcp.CallToolRequest, args map[string]any) (*mcp.CallToolResult, map[string]any, error) {
	return nil, map[string]any{"args": args}, nil
}

func readWidget(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	content := &mcp.ResourceContents{URI: widget, MIMEType: "text/html;profile=mcp-app", Text: "<!doctype html>"}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{content}}, nil
}
