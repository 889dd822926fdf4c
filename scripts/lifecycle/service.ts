import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Machine } from './machine.ts';

/** The service of the default home. */
const UNIT = 'svc.service';
const NOT_INSTALLED = 127;

/** Systemd of the machine, as far as the unit of the default home concerns it: a stub of systemctl. */
export class ServiceStub {
  readonly #machine: Machine;
  readonly #folder: string;

  constructor(machine: Machine) {
    this.#machine = machine;
    this.#folder = join(machine.root, 'systemctl');
  }

  get unit(): string {
    return join(this.#machine.home, '.config', 'systemd', 'user', UNIT);
  }

  /** `svc service install`: the unit passes systemd's own check, and its ExecStart is run. */
  async install(): Promise<string> {
    const { env } = this.#machine;
    mkdirSync(this.#folder);
    copyFileSync(join(import.meta.dirname, 'systemctl.mjs'), join(this.#folder, 'systemctl'));
    env['PATH'] = [this.#folder, env['PATH']].join(delimiter);
    await this.#machine.svc(['service', 'install']);
    const { code, err } = await this.#machine.run('systemd-analyze', ['verify', this.unit]);
    const isMissing = code === null || code === NOT_INSTALLED;
    if (!isMissing && (code !== 0 || err !== ''))
      throw new Error(`systemd-analyze verify ended with ${code}:\n${err}`);
    await this.#machine.svc(['service', 'status']);
    return `${isMissing ? 'unit not verified (systemd-analyze is missing)' : 'unit verified'}, its ExecStart runs; systemctl is a stub`;
  }

  /** `systemctl --user stop` or `start` of the unit, as a person may do. */
  async set(verb: 'start' | 'stop'): Promise<void> {
    await this.#machine.run('systemctl', ['--user', verb, UNIT]);
  }

  /** Throws unless `svc uninstall` has stopped the program with 0 and undone what was installed. */
  checkEnded(): string {
    const exit = join(this.#folder, `${UNIT}.exit`);
    const code = existsSync(exit) ? readFileSync(exit, 'utf8').trim() : 'none';
    const printed = readFileSync(join(this.#folder, `${UNIT}.out`), 'utf8');
    if (code !== '0') throw new Error(`the program of the unit ended with ${code}:\n${printed}`);
    const calls = readFileSync(join(this.#folder, 'calls'), 'utf8')
      .split('\n')
      .filter((call) => / (?:enable|disable|daemon-reload)\b/.test(call));
    const expected = [
      '--user daemon-reload',
      `--user enable --now ${UNIT}`,
      `--user disable --now ${UNIT}`,
      '--user daemon-reload',
    ];
    if (calls.join() !== expected.join()) throw new Error(`systemctl ${calls.join(', ')}`);
    return 'the program of the unit ended with 0; systemctl disabled it';
  }

  end(): void {
    if (existsSync(join(this.#folder, `${UNIT}.pid`)))
      execFileSync(join(this.#folder, 'systemctl'), ['disable', UNIT], {
        env: this.#machine.env,
      });
  }
}
