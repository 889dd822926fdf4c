import type { ConformanceReport } from '../../../src/schema/plugin.ts';
import { PluginCommand, pluginIdArg } from '../../base/pluginCommand.ts';
import { printableLine } from '../../render/printable.ts';

const MARKS = { passed: 'pass', failed: 'FAIL', skipped: 'skip' } as const;

export default class PluginTestCommand extends PluginCommand {
  static override summary = 'Test a plugin against its contract and list the promises it breaks.';
  static override description = 'Exits with 1 if a case fails.';
  static override examples = ['<%= config.bin %> plugin test greeter'];
  static override args = { id: pluginIdArg };

  async run(): Promise<ConformanceReport> {
    const { args, flags } = await this.parse(PluginTestCommand);
    const report = await (await this.service(flags)).testPlugin(args.id);
    for (const { name, promise, outcome, detail } of report.cases) {
      this.print(`${MARKS[outcome]}  ${printableLine(name)}  ${printableLine(promise)}\n`);
      if (detail !== '') this.print(`      ${printableLine(detail)}\n`);
    }
    const failed = report.cases.filter(({ outcome }) => outcome === 'failed').length;
    if (!this.jsonEnabled()) this.io.err(`${report.cases.length} cases, ${failed} failed\n`);
    if (!report.passed) this.io.exitWith(1);
    return report;
  }
}
