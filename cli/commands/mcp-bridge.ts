import { Command } from '@oclif/core';
import { runBridge } from '../mcpBridge.ts';

/** For the list of commands: `svc mcp-bridge` itself runs without oclif, as agents start it. */
export default class McpBridgeCommand extends Command {
  static override summary =
    'The tools of the running phase as an MCP server over stdin and stdout. For agents in a sandbox.';
  static override description =
    'svc hands it to agents whose network is cut off. The token is read from mcp.json in the folder of the session, by default the one that SVC_SESSION_DIR names.';
  static override examples = ['<%= config.bin %> mcp-bridge'];
  static override strict = false;

  async run(): Promise<void> {
    await this.parse(McpBridgeCommand);
    this.exit(await runBridge(this.argv, process.env, process));
  }
}
