@echo off
rem Runs careem-mcp from a checkout or a release folder: the executable beside this file if there is
rem one, else the sources on Deno, else the sources on Deno from npm.
rem
rem DENO names the Deno command to use, such as: set DENO=npx --yes deno@2.9.6
setlocal
set "HERE=%~dp0"

if exist "%HERE%careem-mcp.exe" (
  "%HERE%careem-mcp.exe" %*
  exit /b
)
if not exist "%HERE%main.ts" (
  echo careem-mcp: there is no executable careem-mcp.exe in %HERE%>&2
  exit /b 1
)
if not defined DENO (
  where /q deno
  if not errorlevel 1 (
    set "DENO=deno"
  ) else (
    where /q npx
    if errorlevel 1 (
      echo careem-mcp: neither Deno nor Node.js is installed.>&2
      echo Get Deno from https://deno.com, Node.js 20 or newer, or careem-mcp.exe.>&2
      exit /b 1
    )
    set "DENO=npx --yes deno@2.9.6"
  )
)

rem npx is a script itself, which only "call" comes back from.
call %DENO% run --quiet --no-prompt --frozen --config "%HERE%deno.json" --permission-set "%HERE%main.ts" %*
exit /b
