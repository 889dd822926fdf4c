import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Config } from '@oclif/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { EXIT_CODES } from '../../cli/exitCodes.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { name, version, oclif } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'));

/**
 * Scripts of users rely on these words: one may be added, none may go or change its meaning. `!` =
 * required, `+` = repeatable.
 */
const COMMANDS: Record<string, string> = {
  autocomplete: '--refresh-cache <shell>',
  'autocomplete create': '',
  'autocomplete script': '<shell>',
  help: '--nested-commands <command>',
  budget: '--job --json --team --url <job>',
  'budget raise':
    '--job --json --minutes --of --repo --sessions --team --tokens --url --usd --visits',
  'campaign cancel': '--child --job --json --reason --team --url --yes <job> <child>',
  'campaign list': '--json --limit=50 --offset=0 --parent --quiet --status --type --url',
  'campaign rerun': '--child --job --json --param+ --reason --team --url --yes <job> <child>',
  'campaign show': '--job --json --team --url <job>',
  'campaign skip': '--child --job --json --reason --team --url --yes <job> <child>',
  'campaign start': '--dry-run --json --no-stream --quiet --timeout --url --wait <file>!',
  cancel: '--job --json --reason --team --url --yes <job>',
  checkout: '--job --json --print --reason --url <job>',
  'cloud audit': '--action --json --limit=50 --person --since --team',
  'cloud audit verify': '--json --team',
  'cloud delete-person': '--json --name <email>!',
  'cloud export': '--json --output! --person --team',
  'cloud issuer remove': '--json',
  'cloud issuer set':
    '--client-id! --domain+! --groups-claim=groups --json --role+ --scope+ --secret --trust-email <issuer>!',
  'cloud issuer show': '--json',
  'cloud issuer unlink': '--json <email>!',
  'cloud owner-link': '--email --json',
  'cloud reset-password': '--json <email>!',
  'cloud rotate-key': '--json',
  'cloud team create': '--json --slug <name>!',
  'cloud team delete': '--json --name! <slug>!',
  'cloud pair': '--json --labels --pool --team',
  'cloud reseed': '--from-cloud --json --yes',
  'cloud webhook add': '--accept --json --secret --team --[no-]wait <plugin>!',
  'cloud webhook list': '--json --team',
  'cloud webhook remove': '--json --team --yes <plugin>!',
  'cloud webhook rotate': '--json --now --secret --team <plugin>!',
  'cloud start':
    '--database --host --install-postgres --json --keep-jobs --log-file --no-owner-link --node-url --port --public-url --request-limit --takeover-window --trust-proxy',
  cost: '--by=job --campaign --csv --job --json --limit=100 --model --offset=0 --repo --since --until --url --workflow',
  completion: '--json <shell>!',
  'config get': '--json --show-origin --url <key>',
  'config path': '--json',
  'config schema': '--json',
  'config set': '--json --unset --url <key>! <value>',
  decisions:
    '--job --json --limit=50 --offset=0 --since --site --[no-]skipped --team --url --verdict <job>',
  demo: '--campaign --cloud --crash --json --plan',
  'decisions label': '--bad --clear --good --job --json --note --team --url <job> <key>',
  'decisions replay': '--ask --job --json --team --url <job> <key>',
  'decisions show': '--job --json --team --url <job> <key>',
  'decisions track-record': '--json --since=90d --url',
  proposals: '--job --json --limit=50 --needs-me --offset=0 --state --team --url <job>',
  'proposals apply': '--author --json --proposal --team --url <proposal>',
  'proposals approve':
    '--allow+ --apply --author --hash --json --proposal --team --url --yes <proposal>',
  'proposals reject': '--author --json --proposal --reason --team --url <proposal>',
  'proposals show': '--json --proposal --team --url <proposal>',
  doctor: '--fix --json --url --yes',
  'exit-codes': '--json',
  'schedule lint': '--json',
  'schedule list': '--json --url',
  'schedule resume': '--json --url <schedule>!',
  'schedule run': '--json --url <schedule>!',
  'guardrail allow': '--any-size --decision --job --json --[no-]resume --rule! --team --url <job>',
  'guardrail list': '--json --url',
  'guardrail test':
    '--added --args --candidate --history --job --jobs --json --lines --moment --path+ --phase --team --tool --url <rule>',
  'insights list': '--category --job --json --limit=50 --offset=0 --repo --url',
  'insights promote': '--job --json --path --team --text --url <job> <insight>',
  'insights remove': '--job --json --team --url <job> <insight>',
  'insights search': '--category --job --json --limit=50 --offset=0 --repo --url <words>!',
  init: '--agent --api-key --base-url --first-job --force --git-provider --git-token --git-token-from-cli --git-username --git-workspace --intelligence-dir --intelligence-remote --json --local --login-from-cli --model --repo --repo-dir --scm --skip+ --working-dir --yes',
  gc: '--dry-run --json --last --older-than --url',
  job: '--approve+ --description --estimate --git-provider --[no-]interactive --jira-ticket --json --labels --no-stream --param+ --quiet --repo --reviewers --runner --service-name --team --timeout --unattended --url --wait --workflow=workflows/job.md',
  jobs: '--json --limit=50 --needs-me --offset=0 --quiet --repo --runner --search --sort --status --team --type --url',
  login: '--cloud-url --device --email --json --pair --password --team',
  logout: '--abandon --json --yes',
  logs: '--[no-]follow --job --json --tail --team --url <job>',
  machine: '--format=mermaid --json <name>',
  message: '--job --json --replace --team --timeout --url --wait <job> <text>',
  messages: '--job --json --limit=100 --offset=0 --team --url <job>',
  open: '--end-logins --json --[no-]open --url',
  pause: '--job --json --team --url <job>',
  plan: '--again --continue --description --dispatch --json --model --outside --provider --repo --reviewers --url --workflow --yes <text>',
  'plugin auth': '--apply --json --plugin --setting+ --url <plugin>',
  'plugin healthcheck': '--json --plugin --url <plugin>',
  'plugin init': '--dir --json --kind=executor <id>!',
  'plugin install': '--allow-scripts --id --json --url <spec>!',
  'plugin list': '--json --url',
  'plugin models': '--json --plugin --url <plugin>',
  'plugin test': '--json --plugin --url <plugin>',
  'plugin uninstall': '--json --plugin --url --yes <plugin>',
  plugins: '--json',
  'plugins install': '--allow-scripts --json <spec>!',
  'plugins link': '--json <folder>=.',
  'plugins list': '--json',
  'plugins uninstall': '--json <name>!',
  'pr approve':
    '--author --head --job --json --number --pr --repo --team --url --yes <repo> <number>',
  'pr close': '--author --json --number --reason --repo --url <repo> <number>',
  'pr comment': '--author --json --number --repo --url <repo> <number> <text>',
  'pr diff': '--job --json --number --pr --repo --team --url <repo> <number>',
  'pr list': '--json --repo --url <repo>',
  'pr merge':
    '--author --head --job --json --number --pr --repo --team --url --yes <repo> <number>',
  'pr reopen': '--author --json --number --reason --repo --url <repo> <number>',
  'pr show': '--job --json --number --pr --repo --team --url <repo> <number>',
  'campaign unskip': '--child --job --json --reason --team --url --yes <job> <child>',
  'pr review':
    '--author --body --comment+ --head --job --json --pr --team --url --verdict=comment --yes <job>',
  report: '--json --since=3d --url',
  backup: '--json --work=all <file>',
  restore: '--check --home --json <file>!',
  restart: '--json',
  uninstall: '--discard-work --dry-run --json --purge --yes',
  upgrade: '--json',
  rerun: '--job --json --phase --team --url <job> <phase>',
  resume:
    '--all --event=manual-resume --job --json --no-stream --shown --team --unattended --url --yes <job>',
  'runner start':
    '--accept-loss --config --host --inspect --json --log-file --log-level --[no-]open --port',
  run: '--agent --api-key --approve+ --base-url --config --description --git-provider --json --keep --message --model --param+ --repo --resume --reviewers --timeout --unattended --workflow',
  'runner status': '--json',
  'runner release': '--json',
  'runner stop': '--json',
  start: '--accept-loss --config --host --inspect --json --log-file --log-level --[no-]open --port',
  'service install':
    '--as --cloud --dry-run --host --install-postgres --json --node-url --port --public-url --system --trust-proxy',
  'service uninstall': '--as --cloud --json --system',
  'service status': '--as --cloud --json --system',
  'service logs': '--cloud --follow --json --tail=50',
  status: '--job --json --team --url <job>',
  stop: '--json',
  'stop-all': '--json --url',
  'mcp-bridge': '',
  tool: '',
  'trust add': '--env+ --json --repo --url --yes <repo>',
  docs: '--json <page>',
  audit: '--action --job --json --limit=50 --offset=0 --person --since --url',
  notify: '--json --url',
  'notify test': '--json --url <channel>!',
  accounts: '--json --url',
  'accounts retry': '--json --url <account>!',
  'trust list': '--json --url',
  'trust remove': '--json --repo --url <repo>',
  'trust show': '--json --repo --url <repo>',
  wait: '--for --job --json --team --timeout --url <job>',
  why: '--job --json --team --url <job>',
  'workflow graph': '--format=mermaid --json <file>!',
  'workflow lint': '--format=text --json --proofs --sarif <path>=.',
  'workflow schema': '--json <kind>=workflow',
  'workflow simulate': '--invariant --json --script <file>!',
};

const test = suite('pins: command line');

test('the commands and their flags (CLI-1)', async () => {
  const pjson = { name, version, oclif: { ...oclif, commands: './cli/commands', plugins: [] } };
  const { commands } = await Config.load({ root, pjson, ignoreManifest: true });
  const words = (value: { required?: boolean | undefined; default?: unknown }) =>
    `${value.required ? '!' : ''}${typeof value.default === 'string' || typeof value.default === 'number' ? `=${value.default}` : ''}`;
  const entries = commands.map(({ id, flags, args }) => {
    const ofFlags = Object.entries(flags)
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([flag, value]) => {
        const prefix = value.type === 'boolean' && value.allowNo ? '--[no-]' : '--';
        const many = value.type === 'option' && value.multiple ? '+' : '';
        return `${prefix}${flag}${many}${words(value)}`;
      });
    const ofArgs = Object.entries(args).map(([arg, value]) => `<${arg}>${words(value)}`);
    return [id.replaceAll(':', ' '), [...ofFlags, ...ofArgs].join(' ')];
  });
  assert.equal(
    Object.fromEntries(entries.sort(([a = ''], [b = '']) => a.localeCompare(b))),
    COMMANDS,
  );
});

test('the exit codes (CLI-6)', () => {
  assert.equal(EXIT_CODES, [
    [0, 'Done.'],
    [1, 'It failed, or is not possible in the current state.'],
    [2, 'Usage error: a flag, an argument, a file or the configuration is not valid.'],
    [3, 'The job, pull request or file was not found; from svc tool: the phase is over.'],
    [4, 'Authentication is required, or the runner refuses this client.'],
    [5, 'The runner does not answer, or is stopping.'],
    [6, 'The job ended failed, escalated or cancelled.'],
    [7, 'The job waits for a person: for an answer, or for an event such as a review or a merge.'],
    [8, 'The time given with --timeout is over. The job continues; from svc run: with --resume.'],
    [9, 'The campaign is complete, but some of its sub-runs failed or escalated.'],
    [
      10,
      'The control plane of the team does not answer. What was asked for may still take effect; svc runner status says since when.',
    ],
    [
      11,
      'Another runner of the team continues the jobs of this home. svc start has ended for that; a service does not start it again.',
    ],
    [75, 'From svc tool: temporary. Another service does not answer; nothing was done, try later.'],
    [127, 'Unknown command.'],
    [130, 'Ctrl-C. A followed job continues; that of svc run with --resume.'],
    [
      143,
      'Ended by SIGTERM. A followed job continues. The first one lets svc start stop cleanly, with 0.',
    ],
  ]);
});

test.run();
