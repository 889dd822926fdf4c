import { Flags } from '@oclif/core';
import { SvcError } from '../../../src/base/errors/errors.ts';
import { type HomeService, ServiceCommand } from '../../base/serviceCommand.ts';
import { findHomeRunner } from '../../remote/findHomeRunner.ts';
import {
  cloudServiceFlags,
  type CloudServicePlace,
  findControlPlane,
  readCloudPlace,
} from '../../service/cloudService.ts';
import { pickCloudVariables, writeCloudVariables } from '../../service/cloudVariables.ts';
import { installService, formatServiceInstallation } from '../../service/installService.ts';
import { runServiceProgram } from '../../service/runServiceProgram.ts';
import { setTimeout as wait } from 'node:timers/promises';

/** Between two looks, ms, and their number: half a minute. */
const LOOK_MS = 250;
const LOOKS = 120;

/** What `look` finds as soon as it finds something; null after half a minute without. */
async function pollUntilFound<Found>(look: () => Promise<Found | null>): Promise<Found | null> {
  for (let n = 0; n < LOOKS; n += 1) {
    const foundService = await look();
    if (foundService !== null) return foundService;
    await wait(LOOK_MS);
  }
  return null;
}

interface ServiceInstallReply {
  name: string;
  manager: string;
  files: string[];
  home: string;
  logFile: string;
  /** null = nothing was changed (--dry-run). */
  url: string | null;
}

export default class ServiceInstallCommand extends ServiceCommand {
  static override summary =
    'Install the runner of this home as a service, or with --cloud its control plane: starts now, at login or boot, and after a failure.';
  static override description =
    'Writes a systemd unit, a launchd property list or a Windows task, with the PATH and the proxies of this shell and without secrets. Put other variables, such as model keys, in service.env in the home (systemd); those of the control plane are in cloud.env, into which a DATABASE_URL with a password is written, and SVC_CLOUD_KEY, SVC_CLOUD_OTHER_KEY and SVC_CLOUD_METRICS_TOKEN where they are set. The log is written to logs/ in the home.';
  static override examples = [
    '<%= config.bin %> service install --dry-run',
    '<%= config.bin %> service install',
    'sudo <%= config.bin %> service install --system --as ana',
    'DATABASE_URL=postgres://svc:password@db.example.com/svc <%= config.bin %> service install --cloud --public-url https://svc.example.com --trust-proxy 127.0.0.1',
  ];
  static override flags = {
    'dry-run': Flags.boolean({ description: 'Only show the files and the commands.' }),
    ...cloudServiceFlags,
  };

  async run(): Promise<ServiceInstallReply> {
    const { flags } = await this.parse(ServiceInstallCommand);
    const place = flags.cloud ? readCloudPlace(flags, this.io.env) : null;
    const { manager, plan, left } = this.service(flags, flags['dry-run'], place?.more);
    const { name, home, logFile } = plan;
    const installation = { name, manager: manager.name, home, logFile, url: null };
    const variables = place === null ? {} : pickCloudVariables(process.platform, this.io.env, left);
    for (const variable of left.filter((one) => !Object.hasOwn(variables, one)))
      this.note(
        `${variable} contains a password and was left out. Put it into ${plan.environmentFile} (mode 0600).\n`,
      );
    if (/[\\/]_npx[\\/]/.test(plan.command.join(' ')))
      this.note(
        "This svc is in npx's cache, which npm may remove. Install it: npm install -g @svc/runner\n",
      );
    for (const variable of Object.keys(variables))
      this.note(
        `${variable} is a secret: it ${flags['dry-run'] ? 'would be' : 'is'} written into ${plan.environmentFile} (mode 0600).\n`,
      );
    if (flags['dry-run']) {
      this.print(formatServiceInstallation(manager, plan));
      return { ...installation, files: manager.files(plan).map(({ path }) => path) };
    }
    if (place !== null) {
      const url = await this.#installCloud({ manager, plan, left }, place, variables);
      return { ...installation, files: manager.files(plan).map(({ path }) => path), url };
    }
    const io = { ...this.io, env: { ...this.io.env, SVC_HOME: home } };
    const runner = await findHomeRunner(io, this.config.version);
    if (runner !== null)
      throw new SvcError(
        'conflict',
        `A runner of this home runs already (process ${runner.pid}). Stop it first: svc stop`,
      );
    const files = await installService(manager, plan, runServiceProgram);
    this.print(`${manager.name} keeps svc running as ${name}: ${files.join(', ')}\n`);
    const homeRunner = await pollUntilFound(() => findHomeRunner(io, this.config.version));
    if (homeRunner === null)
      throw new SvcError(
        'unreachable',
        `The service is installed, but the runner does not answer yet. See: svc service logs, svc doctor`,
      );
    this.print(
      `The runner listens on ${homeRunner.url}. Its log: ${logFile.replace(/\.log$/, '.*.log')} (svc service logs)\n`,
    );
    const advice = await manager.advice(plan);
    if (advice !== '') this.print(`${advice}\n`);
    this.print('To remove it: svc service uninstall\n');
    return { ...installation, files, url: homeRunner.url };
  }

  async #installCloud(
    { manager, plan }: HomeService,
    { url, publicUrl }: CloudServicePlace,
    variables: Readonly<Record<string, string>>,
  ): Promise<string> {
    if ((await findControlPlane(this.io, url)) !== null)
      throw new SvcError(
        'conflict',
        `A control plane answers at ${url} already. Stop it first (Ctrl-C where it runs, or svc service uninstall --cloud), or choose another --port.`,
      );
    if (Object.keys(variables).length > 0) await writeCloudVariables(plan, variables);
    const files = await installService(manager, plan, runServiceProgram);
    this.print(`${manager.name} keeps svc running as ${plan.name}: ${files.join(', ')}\n`);
    const controlPlane = await pollUntilFound(() => findControlPlane(this.io, url));
    if (controlPlane === null)
      throw new SvcError(
        'unreachable',
        'The service is installed, but the control plane does not answer yet. See: svc service logs --cloud, svc service status --cloud',
      );
    this.print(
      `The control plane listens on ${url}, for ${publicUrl}. Its log: ${plan.logFile.replace(/\.log$/, '.*.log')} (svc service logs --cloud)\n`,
    );
    const advice = await manager.advice(plan);
    if (advice !== '') this.print(`${advice}\n`);
    this.print(
      'The link of the first owner: svc cloud owner-link\nTo remove it: svc service uninstall --cloud\n',
    );
    return url;
  }
}
