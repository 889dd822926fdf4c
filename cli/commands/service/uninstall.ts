import { ServiceCommand } from '../../base/serviceCommand.ts';
import { uninstallService } from '../../service/installService.ts';
import { runServiceProgram } from '../../service/runServiceProgram.ts';

interface ServiceUninstallReply {
  /** What was removed; empty = no service was installed. */
  files: string[];
}

export default class ServiceUninstallCommand extends ServiceCommand {
  static override summary =
    'Stop and remove the service of this home. The home, its jobs and the database are kept.';
  static override examples = [
    '<%= config.bin %> service uninstall',
    '<%= config.bin %> service uninstall --cloud',
  ];

  async run(): Promise<ServiceUninstallReply> {
    const { flags } = await this.parse(ServiceUninstallCommand);
    const { manager, plan } = this.service(flags);
    const files = await uninstallService(manager, plan, runServiceProgram);
    this.print(
      files.length === 0
        ? `No service of this home is installed (${manager.name}).\n`
        : `Removed ${files.join(', ')}. The home stays: ${plan.home}\n`,
    );
    return { files };
  }
}
