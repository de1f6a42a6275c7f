// A client of the Go SDK for tests: agent http|sse URL, or agent stdio COMMAND...
//
// It writes a line of JSON when it is connected, and another for each line that it reads, after a call.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	tool     = "pay_get_wallet_balance"
	patience = 700 * time.Millisecond
)

func main() {
	client := mcp.NewClient(&mcp.Implementation{Name: "tester", Version: "1.0.0"}, nil)
	session, err := client.Connect(context.Background(), transport(os.Args[1], os.Args[2:]), nil)
	if err != nil {
		say("error", err.Error())
		os.Exit(1)
	}
	say("text", "connected")
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		call(session)
	}
	// It may wait for an answer that never comes.
	time.AfterFunc(time.Second, func() { os.Exit(0) })
	session.Close()
}

func transport(kind string, target []string) mcp.Transport {
	switch kind {
	case "http":
		return &mcp.StreamableClientTransport{Endpoint: target[0], MaxRetries: -1}
	case "sse":
		return &mcp.SSEClientTransport{Endpoint: target[0]}
	default:
		command := exec.Command(target[0], target[1:]...)
		command.Stderr = io.Discard
		return &mcp.CommandTransport{Command: command}
	}
}

func call(session *mcp.ClientSession) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: tool})
	if err != nil {
		say("error", err.Error())
		return
	}
	say("text", result.Content[0].(*mcp.TextContent).Text)
}

func say(name, text string) {
	line, _ := json.Marshal(map[string]string{name: text})
	fmt.Println(string(line))
}
