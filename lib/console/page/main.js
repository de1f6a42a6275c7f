document.querySelector("#root").textContent = "careem-mcp console";
