// Starts `burnside lsp` and lets it speak to the editor. Everything about the language is in the server.
"use strict";

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

/** @type {LanguageClient | undefined} */
let client;

/** A client for the settings as they are now. */
function create() {
  const settings = vscode.workspace.getConfiguration("burnside");
  const run = { command: settings.get("path") || "burnside", args: ["lsp"] };
  return new LanguageClient("burnside", "Burnside", run, {
    documentSelector: [{ language: "orb" }],
    initializationOptions: { timeout: settings.get("timeout") },
  });
}

async function start() {
  client = create();
  try {
    await client.start();
  } catch (error) {
    const path = vscode.workspace.getConfiguration("burnside").get("path");
    const answer = await vscode.window.showErrorMessage(
      `Burnside: \`${path} lsp\` cannot be started. Set burnside.path to the program.`,
      "Open the setting"
    );
    if (answer) {
      await vscode.commands.executeCommand("workbench.action.openSettings", "burnside.path");
    }
    throw error;
  }
}

async function stop() {
  const running = client;
  client = undefined;
  if (running) {
    await running.stop();
  }
}

async function restart() {
  // One that was never started cannot be stopped.
  await stop().catch(() => undefined);
  await start();
}

/** Does what the lens at the top of the file does. The server offers `burnside.check` as a command. */
function checkAll() {
  const editor = vscode.window.activeTextEditor;
  if (editor && editor.document.languageId === "orb") {
    return vscode.commands.executeCommand("burnside.check", { uri: editor.document.uri.toString(), property: null });
  }
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("burnside.checkAll", checkAll),
    vscode.commands.registerCommand("burnside.restart", restart),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("burnside")) {
        restart().catch(() => undefined);
      }
    })
  );
  await start().catch(() => undefined);
}

module.exports = { activate, deactivate: stop };
