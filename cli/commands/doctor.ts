import { readEnvironment } from '../../src/config/env.ts';
import { SvcCommand } from '../base/base.ts';
import type { Check } from '../doctor/check.ts';
import { examine } from '../doctor/examine.ts';
import { doctorText } from '../render/doctorText.ts';

export default class DoctorCommand extends SvcCommand {
  static override summary =
    "Check everything that this home's runner needs, and show how to fix what is wrong.";
  static override description =
    'Changes nothing and needs no runner; a running one is asked for its plugins and its clock. Exits with 1 if a check reports an error. With --json: { ok, checks: [{ id, title, status, detail, fix }] }.';
  static override examples = ['<%= config.bin %> doctor'];

  async run(): Promise<{ ok: boolean; checks: Check[] }> {
    const { flags } = await this.parse(DoctorCommand);
    const isNamed = flags.url !== undefined || readEnvironment(this.io.env).url !== null;
    const checks = await examine(this.io, () => this.client(flags), isNamed);
    this.print(doctorText(checks, this.io));
    const ok = !checks.some(({ status }) => status === 'error');
    if (!ok) this.io.exitWith(1);
    return { ok, checks };
  }
}
