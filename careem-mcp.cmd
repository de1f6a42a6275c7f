@echo off
rem Runs careem-mcp from a checkout or a release folder: the executable beside this file if there is
rem one, else the sources on Deno, else the sources on Deno from npm.
rem
rem DENO names the Deno command to use, such as: set DENO=npx --yes deno@2.8.2
rem
rem There are no blocks in parentheses: a folder's name may hold one, which would end the block.
setlocal
set "HERE=%~dp0"
rem The program tells people what to type next.
set "CAREEM_MCP_LAUNCHER=%~nx0"

if exist "%HERE%careem-mcp.exe" goto executable
if not exist "%HERE%main.ts" goto nothing
if defined DENO goto sources
set "DENO=deno"
where /q deno
if errorlevel 1 goto npx
rem An older Deno knows no sets of permissions.
call deno eval "const [major, minor] = Deno.version.deno.split('.').map(Number); Deno.exit(major > 2 || major === 2 && minor >= 8 ? 0 : 1)"
if not errorlevel 1 goto sources

:npx
set "DENO=npx --yes deno@2.8.2"
where /q npx
if not errorlevel 1 goto sources
>&2 echo careem-mcp: neither Deno 2.8 or newer nor Node.js is installed.
>&2 echo Get Deno from https://deno.com, Node.js 20 or newer, or careem-mcp.exe.
exit /b 1

:nothing
>&2 echo careem-mcp: there is no executable careem-mcp.exe in "%HERE%"
exit /b 1

:executable
"%HERE%careem-mcp.exe" %*
exit /b

:sources
rem npx is a script itself, which only "call" comes back from.
call %DENO% run --quiet --no-prompt --frozen --config "%HERE%deno.json" --permission-set "%HERE%main.ts" %*
exit /b
