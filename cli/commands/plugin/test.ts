import type { ConformanceReport } from '../../../src/contract/schema/runner/plugin.ts';
import { PluginCommand } from '../../base/pluginCommand.ts';
import { pluginArg, pluginFlag } from '../../input/resolveObjects.ts';
import { toPrintableLine } from '../../render/text/toPrintable.ts';

const MARKS = { passed: 'pass', failed: 'FAIL', skipped: 'skip' } as const;

/** How many cases ended in which way. Skipped ones say nothing about the plugin. */
function formatCaseCounts(cases: ConformanceReport['cases']): string {
  const count = (wantedOutcome: keyof typeof MARKS) =>
    cases.filter(({ outcome }) => outcome === wantedOutcome).length;
  const skippedCount = count('skipped');
  const note = skippedCount === 0 ? '' : `. A skipped case was not run; it says what it needs`;
  return `${cases.length} ${cases.length === 1 ? 'case' : 'cases'}: ${count('passed')} passed, ${count('failed')} failed, ${skippedCount} skipped${note}`;
}

export default class PluginTestCommand extends PluginCommand {
  static override summary = 'Test a plugin against its contract and list the violations.';
  static override description = 'Exits with 1 if a case fails.';
  static override examples = ['<%= config.bin %> plugin test greeter'];
  static override args = { plugin: pluginArg };
  static override flags = { plugin: pluginFlag };

  async run(): Promise<ConformanceReport> {
    const parsed = await this.parse(PluginTestCommand);
    const { flags } = parsed;
    const { plugin: id } = this.objects(['plugin'], parsed);
    const report = await (await this.service(flags)).testPlugin(id);
    for (const { name, promise, outcome, detail } of report.cases) {
      this.print(`${MARKS[outcome]}  ${toPrintableLine(name)}  ${toPrintableLine(promise)}\n`);
      if (detail !== '') this.print(`      ${toPrintableLine(detail)}\n`);
    }
    this.note(`${formatCaseCounts(report.cases)}\n`);
    if (!report.passed) this.io.exitWith(1);
    return report;
  }
}
