import { Flags } from '@oclif/core';
import { MaintenanceCommand } from '../../base/maintenanceCommand.ts';
import { toPrintableLine } from '../../render/text/toPrintable.ts';

interface OwnerLink {
  url: string;
}

export default class CloudOwnerLinkCommand extends MaintenanceCommand {
  static override summary =
    "Print a link for the first owner, or for one who cannot log in at the company's issuer.";
  static override description =
    "For who runs the control plane: it needs the database (DATABASE_URL, or the home of svc cloud start). As long as no one has an account, the link sets up the team, once, within a day; svc cloud start prints the same, its service does not. Where people log in at a company's issuer (svc cloud issuer set), it logs an owner in without it, once, within 15 minutes, for an hour; the audit log of the team names it.";
  static override examples = [
    '<%= config.bin %> cloud owner-link',
    '<%= config.bin %> cloud owner-link --email ada@example.com',
  ];
  static override flags = {
    email: Flags.string({
      description: 'Which owner the link logs in; needed if there are several.',
      helpValue: '<email>',
    }),
  };

  async run(): Promise<OwnerLink> {
    const { flags } = await this.parse(CloudOwnerLinkCommand);
    return this.withMaintenance('make a link for an owner', async (maintenance) => {
      const url = await maintenance.createOwnerLink();
      if (url !== null) {
        this.print(
          `The first owner sets up the team here; the link works once, within a day:\n  ${url}\n`,
        );
        return { url };
      }
      const link = await maintenance.createBreakGlassLink(flags.email ?? null);
      this.print(
        `This link logs ${toPrintableLine(link.email)} in without the company's issuer, for an hour. It works once, until ${link.expiresAt}; the audit log of the team names it:\n  ${link.url}\n`,
      );
      return { url: link.url };
    });
  }
}
