import { Args, Flags } from '@oclif/core';
import type { ShownSignOn } from '../../../../src/cloud/openMaintenance.ts';
import { MaintenanceCommand } from '../../../base/maintenanceCommand.ts';
import { parseGroupRole } from '../../../input/parseGroupRole.ts';
import { readTextArgument } from '../../../input/readTextArgument.ts';
import { formatSignOn } from '../../../render/cloud/formatSignOn.ts';

export default class CloudIssuerSetCommand extends MaintenanceCommand {
  static override summary = "Log people in at your company's issuer (OpenID Connect).";
  static override description =
    'For who runs the control plane: it needs the database (DATABASE_URL, or the home of svc cloud start) and SVC_CLOUD_KEY. From then on passwords are off, on every node. Register svc at the issuer first; svc cloud issuer show prints the redirect URI. The command replaces all settings that were made before.';
  static override examples = [
    '<%= config.bin %> cloud issuer set https://login.example.com --client-id svc --secret - --domain example.com < secret.txt',
    '<%= config.bin %> cloud issuer set https://login.example.com --client-id svc --domain example.com --role svc-admins=acme:admin --role svc-users=acme:member',
  ];
  static override args = {
    issuer: Args.string({
      required: true,
      description: 'Address of the issuer, as it names itself.',
    }),
  };
  static override flags = {
    'client-id': Flags.string({
      required: true,
      description: 'ID of the client that is registered for svc at the issuer.',
      helpValue: '<id>',
    }),
    secret: Flags.string({
      description:
        'Secret of the client, read from standard input. Default: the one that is stored for this client.',
      helpValue: '-',
      options: ['-'],
    }),
    domain: Flags.string({
      required: true,
      multiple: true,
      multipleNonGreedy: true,
      description: 'Domain of the addresses that may log in. Repeatable.',
      helpValue: '<domain>',
    }),
    role: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      description:
        'Role of a group in a team: viewer, member, admin or owner. Repeatable. Who is in no group of such a team leaves it.',
      helpValue: '<group>=<team>:<role>',
    }),
    'groups-claim': Flags.string({
      description: "Claim that has the names of a person's groups.",
      default: 'groups',
      helpValue: '<name>',
    }),
    scope: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      description: 'Scope to ask for beside openid, email and profile. Repeatable.',
      helpValue: '<scope>',
    }),
    'trust-email': Flags.boolean({
      description:
        'Take addresses as verified where the issuer does not send email_verified. false is always refused.',
    }),
  };

  async run(): Promise<ShownSignOn> {
    const { args, flags } = await this.parse(CloudIssuerSetCommand);
    const clientSecret =
      flags.secret === undefined
        ? null
        : (await readTextArgument(flags.secret, 'The secret', this.io)).trim();
    const signOn = await this.withMaintenance('set the issuer of logins', (maintenance) =>
      maintenance.setIssuer({
        address: args.issuer,
        clientId: flags['client-id'],
        clientSecret,
        domains: flags.domain,
        scopes: flags.scope ?? [],
        groupsClaim: flags['groups-claim'],
        trustsEmail: flags['trust-email'] === true,
        roles: (flags.role ?? []).map(parseGroupRole),
      }),
    );
    this.print(formatSignOn(signOn));
    this.print(
      `\nPasswords are off. People who have an account connect it on the page ${new URL('/auth/home', signOn.redirectUri).href}, within 12 hours while they are logged in, or by an invitation.\nIf no one can log in: svc cloud owner-link, or svc cloud issuer remove.\n`,
    );
    return signOn;
  }
}
