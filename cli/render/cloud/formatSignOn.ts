import type { ShownSignOn } from '../../../src/cloud/openMaintenance.ts';
import { toPrintableLine } from '../text/toPrintable.ts';

const formatList = (words: readonly string[]): string =>
  words.length === 0 ? 'none' : words.map(toPrintableLine).join(', ');

/** Where people log in, with what to register there. */
export function formatSignOn({ redirectUri, issuer }: ShownSignOn): string {
  if (issuer === null)
    return `People log in with passwords.\nTo log them in at your company's issuer, register svc there with this redirect URI:\n  ${redirectUri}\n`;
  const rows: [name: string, value: string][] = [
    ['issuer', toPrintableLine(issuer.issuer)],
    ['client', toPrintableLine(issuer.clientId)],
    ['redirect', redirectUri],
    ['domains', formatList(issuer.domains)],
    ['scopes', formatList(['openid', 'email', 'profile', ...issuer.scopes])],
    ['email', issuer.trustsEmail ? 'also without email_verified' : 'verified only'],
    ['accounts', `${issuer.connected} of ${issuer.accounts} connected`],
  ];
  const roles = issuer.roles.map(
    ({ group, team, role }) =>
      `  ${toPrintableLine(group)} is ${role} in ${toPrintableLine(team)}\n`,
  );
  return [
    ...rows.map(([name, value]) => `${name.padEnd(9)} ${value}\n`),
    ...(roles.length === 0
      ? []
      : [`Roles by the claim ${toPrintableLine(issuer.groupsClaim)}:\n`, ...roles]),
    ...(issuer.isSecretReadable
      ? []
      : [
          'The secret was sealed with another SVC_CLOUD_KEY: no one can log in. Set it again with --secret -.\n',
        ]),
  ].join('');
}
