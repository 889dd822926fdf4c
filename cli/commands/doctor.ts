import { Flags } from '@oclif/core';
import { readEnvironment } from '../../src/host/config/home/env.ts';
import { resolveConfigPlace } from '../../src/host/config/home/resolveConfigPlace.ts';
import { SvcCommand } from '../base/base.ts';
import type { Check } from '../doctor/check.ts';
import { examineHome } from '../doctor/examineHome.ts';
import { repairHome, formatRepairReply, type RepairReply } from '../doctor/repairHome.ts';
import { yesFlag } from '../input/flags.ts';
import { findPackageRoot } from '../findPackageRoot.ts';
import type { Io } from '../io.ts';
import { toPrintableLine } from '../render/text/toPrintable.ts';

const STATUS_COLUMN = 9;
const TITLE_COLUMN = 17;

function formatDoctorChecks(checks: readonly Check[], { color }: Pick<Io, 'color'>): string {
  const paint = { ok: color.green, warning: color.yellow, error: color.red, skipped: color.dim };
  return checks
    .map(({ status, title, detail, fix }) => {
      const line = `${paint[status](status.padEnd(STATUS_COLUMN))}${title.padEnd(TITLE_COLUMN)}${toPrintableLine(detail)}\n`;
      return fix === null
        ? line
        : `${line}${' '.repeat(STATUS_COLUMN)}${color.bold('→')} ${toPrintableLine(fix)}\n`;
    })
    .join('');
}

export default class DoctorCommand extends SvcCommand {
  static override summary =
    "Check everything that this home's runner needs, and show how to fix problems.";
  static override description =
    'Without --fix it changes nothing and needs no runner; a running one is asked for its plugins and its clock. Exits with 1 if a check reports an error. With --json: { ok, checks: [{ id, title, status, detail, fix }] }.\n\n--fix repairs rows of state.db that cannot be read, such as counts that no number can hold. Stop the runner first. It lists what it will do, asks at a terminal (a script gives --yes), copies state.db, and does all of it or nothing. No row is thrown away: the table quarantined_rows keeps each as it was. Exits with 1 if you decline, or if a row could not be repaired. With --json: { copy, planned, corrected, removed, recomputed, kept }.';
  static override examples = [
    '<%= config.bin %> doctor',
    '<%= config.bin %> doctor --fix',
    '<%= config.bin %> doctor --fix --yes',
  ];
  static override flags = {
    fix: Flags.boolean({ description: 'Repair unreadable rows of the state.' }),
    yes: yesFlag,
  };

  async run(): Promise<{ ok: boolean; checks: Check[] } | RepairReply> {
    const { flags } = await this.parse(DoctorCommand);
    if (flags.fix) return this.#repair(flags.yes);
    const isNamed = flags.url !== undefined || readEnvironment(this.io.env).url !== null;
    const checks = await examineHome(this.io, () => this.client(flags), isNamed);
    this.print(formatDoctorChecks(checks, this.io));
    const ok = !checks.some(({ status }) => status === 'error');
    if (!ok) this.io.exitWith(1);
    return { ok, checks };
  }

  async #repair(yes: boolean): Promise<RepairReply> {
    const { env, homeDir } = this.io;
    const { home } = resolveConfigPlace({
      env,
      homeDir,
      flags: {},
      packageRoot: findPackageRoot(import.meta.url),
    });
    const reply = await repairHome(this.io, home, yes);
    if (reply === null) {
      this.io.err('Nothing was changed.\n');
      this.io.exitWith(1);
      return { copy: null, planned: [], corrected: 0, removed: 0, recomputed: [], kept: [] };
    }
    this.print(formatRepairReply(reply));
    if (reply.kept.length > 0) this.io.exitWith(1);
    return reply;
  }
}
