import { isOwnVariable } from '../../../src/base/settings/ownVariables.ts';
import type { TrustView, WantedFile } from '../../../src/contract/schema/workflow/trust.ts';
import { toPrintableLine } from '../text/toPrintable.ts';

export const TRUST_HEADER = ['REPO', 'STATE', 'FILES', 'TRUSTED AT', 'PATH'];

export const toTrustRow = ({ repo, state, wants, trustedAt, path }: TrustView): string[] => [
  repo,
  state,
  String(wants.length),
  trustedAt ?? '-',
  path,
];

const STATES: Readonly<Record<TrustView['state'], string>> = {
  nothing: 'It contains nothing that runs.',
  untrusted: 'Not trusted: none of this is used.',
  trusted: 'Trusted.',
  changed: 'Changed since it was trusted: not used until you trust it again.',
  gone: 'Trusted, but no longer configured.',
  unreadable: 'It cannot be read.',
};

const SINCE = {
  new: ' (new since you trusted it)',
  changed: ' (changed since you trusted it)',
  same: '',
} as const;

const createWantedFileFormatter =
  (env: readonly string[]) =>
  ({ path, reason, sha256, runs, variables, since }: WantedFile): string =>
    [
      `  ${path}${since === null ? '' : SINCE[since]}: ${reason}`,
      `    sha256 ${sha256}`,
      ...runs.map((line) => `    runs ${line}`),
      ...variables.map(
        (name) =>
          `    needs the variable ${name}${env.includes(name) ? ' (allowed)' : isOwnVariable(name) ? ' (never passed on: svc uses it itself)' : ` (not allowed: --env ${name})`}`,
      ),
    ]
      .map((line) => `${toPrintableLine(line)}\n`)
      .join('');

export const formatTrust = ({
  repo,
  path,
  commit,
  state,
  hash,
  problem,
  wants,
  env,
}: TrustView): string =>
  [
    `${toPrintableLine(`${repo} (${path}${commit === null ? '' : `, commit ${commit.slice(0, 12)}`})`)}\n`,
    `${toPrintableLine(`${STATES[state]}${problem === null ? '' : ` ${problem}`}`)}\n`,
    ...wants.map(createWantedFileFormatter(env)),
    ...(hash === null
      ? []
      : [
          `hash ${hash}\n`,
          'Programs listed here can run other files of the checkout. Agents can change those files, and the hash does not cover them.\n',
        ]),
  ].join('');
