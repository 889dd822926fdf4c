import { Command } from '@oclif/core';
import { runBridge } from '../mcpBridge.ts';

/** For the list of commands: `svc mcp-bridge` itself runs without oclif, as agents start it. */
export default class McpBridgeCommand extends Command {
  static override summary =
    'Serve the tools of the running phase over MCP on stdin and stdout. For agents in a sandbox.';
  static override description =
    'svc gives it to agents without network access. The token is read from mcp.json in the session folder, by default SVC_SESSION_DIR.';
  static override examples = ['<%= config.bin %> mcp-bridge'];
  static override strict = false;

  async run(): Promise<void> {
    await this.parse(McpBridgeCommand);
    this.exit(await runBridge(this.argv, process.env, process));
  }
}
