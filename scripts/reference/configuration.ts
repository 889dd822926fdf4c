import { buildConfigJsonSchema } from '../../src/host/config/configSchema.ts';
import { DECISION_VARIABLES } from '../../src/host/config/home/env.ts';
import { isLive } from '../../src/host/config/settings/liveSettings.ts';
import { BUILT_IN_MANIFESTS } from '../../src/plugins/builtInCatalogue.ts';
import type { PluginSetting } from '../../src/contract/schema/runner/plugin.ts';
import { ENVIRONMENT } from './environment.ts';
import { code, page, plain, table } from './markdown.ts';
import { type Member, listMembers, type Schema, typeText } from './schemaText.ts';

/** Flags of `svc start` that win over a key. */
const FLAGS: Readonly<Record<string, string>> = {
  'server.host': '--host',
  'server.port': '--port',
};

const INTRODUCTION = `The configuration is one file, \`config.json\` in the home of svc (\`~/.svc\`, or \`SVC_HOME\`);
\`svc config path\` prints where it is. It is JSON with comments. Every key may be left out. The file
is checked as a whole before anything starts. \`svc config set\` changes single keys,
\`svc config get --show-origin\` shows every value and where it comes from, and \`svc config schema\`
prints the JSON Schema of the file for editors.

Flags of \`svc start\` take precedence over the file, and the file over its defaults. Paths may begin
with \`~\`; relative paths are resolved against the folder of the file. \`<name>\` in a key stands for a
name that you choose, \`[]\` for an entry of a list. Keys marked *secret* are never shown. Keys marked
*live* take effect at once; all others at the next start.`;

const shownDefault = ({ default: value }: Schema): string =>
  value === undefined || (typeof value === 'object' && JSON.stringify(value) === '{}')
    ? ''
    : code(JSON.stringify(value));

function row({ key, schema, required }: Member): string[] {
  const variables = DECISION_VARIABLES.filter(([of]) => of === key).map(([, name]) => code(name));
  const flag = FLAGS[key];
  const notes = [
    plain(schema.description ?? schema.title ?? ''),
    flag === undefined ? '' : `Flag of \`svc start\`: ${code(flag)}.`,
    variables.length === 0
      ? ''
      : `Environment, where the file says nothing: ${variables.join(', ')}.`,
    required && schema.default === undefined && !key.endsWith('[]') ? 'Required.' : '',
    [true, 'handed', 'whole'].some((kind) => kind === schema.secret) ? '*Secret.*' : '',
    isLive(key) ? '*Live.*' : '',
  ];
  return [
    code(key),
    typeText(schema),
    shownDefault(schema),
    notes.filter((note) => note !== '').join(' '),
  ];
}

const HEAD = ['Key', 'Type and limits', 'Default', 'Meaning'];

function section(name: string, schema: Schema): string[] {
  const about = schema.title ?? '';
  const isContainer = ({ schema: one }: Member) => one.properties !== undefined;
  const own: Member = { key: name, schema, required: false };
  const rows = [...(schema.properties ? [] : [own]), ...listMembers(schema, name)]
    .filter((member) => !isContainer(member))
    .map(row);
  const notes = [
    schema.deprecated === true ? 'Deprecated.' : '',
    about === '' ? '' : `${plain(about)}.`,
  ];
  return [
    `## ${code(name)}`,
    notes.filter((note) => note !== '').join(' '),
    rows.length === 0 ? '' : table(HEAD, rows),
  ];
}

function settingRow([name, setting]: [string, PluginSetting]): string[] {
  const { type, description, required, secret, env } = setting;
  const notes = [
    plain(description),
    required ? 'Required.' : '',
    secret ? '*Secret.*' : '',
    env === undefined ? '' : `\`svc plugin auth\` can take it from ${code(env)}.`,
  ];
  const values = setting.enum?.map((value) => code(JSON.stringify(value))).join(', ');
  const typeNames = {
    string: 'text',
    integer: 'whole number',
    number: 'number',
    boolean: '`true` or `false`',
  };
  return [
    code(name),
    values ?? typeNames[type],
    setting.default === undefined ? '' : code(JSON.stringify(setting.default)),
    notes.filter((note) => note !== '').join(' '),
  ];
}

const plugins = (): string[] =>
  BUILT_IN_MANIFESTS.flatMap(({ id, title, settings = {} }) => {
    const rows = Object.entries(settings).map(settingRow);
    if (rows.length === 0) return [];
    return [`### ${code(id)}`, `${plain(title)}.`, table(['Setting', ...HEAD.slice(1)], rows)];
  });

/** docs/reference/configuration.md: every key of the configuration file, and the environment. */
export function configurationPage(): string {
  const { properties = {} }: Schema = buildConfigJsonSchema();
  return page('Configuration', 'src/host/config/configSchema.ts and the manifests of the plugins', [
    INTRODUCTION,
    ...Object.entries(properties).flatMap(([name, schema]) => section(name, schema)),
    '## Settings of the built-in plugins',
    'They are keys of `plugins.installed.<id>.config`. Settings of other plugins are in their manifests: `svc plugin list`.',
    ...plugins(),
    '## Environment variables',
    table(
      ['Variable', 'Meaning'],
      ENVIRONMENT.map(([name, meaning]) => [code(name), plain(meaning)]),
    ),
  ]);
}
