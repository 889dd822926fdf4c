import { SvcError } from '../../../src/base/errors/errors.ts';
import { ServiceCommand } from '../../base/serviceCommand.ts';
import { type HomeRunner, findHomeRunner } from '../../remote/findHomeRunner.ts';
import { toPrintableLine } from '../../render/text/toPrintable.ts';
import {
  findControlPlane,
  type FoundControlPlane,
  readServedUrl,
} from '../../service/cloudService.ts';
import { isServiceInstalled } from '../../service/installService.ts';

interface ServiceStatus {
  name: string;
  manager: string;
  installed: boolean;
  enabled: boolean;
  running: boolean;
  /** The manager's own word, such as `active`. */
  word: string;
  file: string;
  home: string;
  logFile: string;
  /** null = none answers; with --cloud left out. */
  runner?: HomeRunner | null;
  /** With --cloud: the control plane; null = it does not answer. */
  controlPlane?: FoundControlPlane | null;
}

export default class ServiceStatusCommand extends ServiceCommand {
  static override summary = 'Show whether the service of this home is installed and running.';
  static override description =
    'The exit code is 0 if it is running, 1 if it is stopped, 3 if it is not installed.';
  static override examples = [
    '<%= config.bin %> service status',
    '<%= config.bin %> service status --cloud',
  ];

  /** Throws SvcError `not-found` where this machine has no service manager: nothing is installed. */
  #service(flags: Parameters<ServiceCommand['service']>[0]): ReturnType<ServiceCommand['service']> {
    try {
      return this.service(flags);
    } catch (error) {
      if (!(error instanceof SvcError) || error.code !== 'not-possible-now') throw error;
      throw new SvcError('not-found', `No service is installed. ${error.message}`);
    }
  }

  async run(): Promise<ServiceStatus> {
    const { flags } = await this.parse(ServiceStatusCommand);
    const { manager, plan } = this.#service(flags);
    const { name, home, logFile } = plan;
    const installed = isServiceInstalled(manager, plan);
    const state = installed
      ? await manager.state(plan)
      : { enabled: false, running: false, word: 'not installed' };
    const file = manager.files(plan)[0]?.path ?? '';
    const [served, answer] = flags.cloud
      ? await this.#findControlPlane(file, installed)
      : await this.#findRunner(home);
    const rows: [string, string][] = [
      ['Service', `${name}, ${manager.name}: ${state.word}`],
      [
        'File',
        installed
          ? file
          : `none; install it with: svc service install${flags.cloud ? ' --cloud' : ''}`,
      ],
      ['Starts by itself', state.enabled ? 'yes' : 'no'],
      answer,
      ['Home', home],
      ['Log', logFile.replace(/\.log$/, '.*.log')],
    ];
    const width = Math.max(...rows.map(([title]) => title.length));
    for (const [title, text] of rows)
      this.print(`${title.padEnd(width)}  ${toPrintableLine(text)}\n`);
    this.io.exitWith(state.running ? 0 : installed ? 1 : 3);
    return { name, manager: manager.name, installed, ...state, file, home, logFile, ...served };
  }

  /** What it is, for --json and as a row. */
  async #findRunner(home: string): Promise<[Pick<ServiceStatus, 'runner'>, row: [string, string]]> {
    const io = { ...this.io, env: { ...this.io.env, SVC_HOME: home } };
    const runner = await findHomeRunner(io, this.config.version);
    const text =
      runner === null
        ? 'does not answer'
        : `${runner.url}, process ${runner.pid}, svc ${runner.version}, since ${runner.startedAt}`;
    return [{ runner }, ['Runner', text]];
  }

  async #findControlPlane(
    file: string,
    installed: boolean,
  ): Promise<[Pick<ServiceStatus, 'controlPlane'>, row: [string, string]]> {
    const url = installed ? await readServedUrl(file) : null;
    const controlPlane = url === null ? null : await findControlPlane(this.io, url);
    const text =
      controlPlane === null
        ? 'does not answer'
        : `${controlPlane.url}, svc ${controlPlane.version}, ${controlPlane.runnersConnected ?? 'unknown'} runners connected, database ${controlPlane.databaseReachable ? 'reachable' : 'away'}`;
    return [{ controlPlane }, ['Control plane', text]];
  }
}
