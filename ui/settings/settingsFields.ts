import type { ConfigValue } from '../../src/contract/schema/runner/config.ts';
import { buildFormField, type FormField, type FormSchema } from '../form/formSchema.ts';
import { SETTING_NAMES } from './settingNames.ts';

interface SettingsGroup {
  title: string;
  /** What each section is called, by its key in the configuration; in their order. */
  sections: Readonly<Record<string, string>>;
}

/** The sections of the configuration as people look for them; what is changed most comes first. */
const SETTINGS_GROUPS: readonly SettingsGroup[] = [
  {
    title: 'Work',
    sections: {
      runner: 'Jobs and sessions',
      schedules: 'Schedules',
      checkout: 'Checkouts',
      budgets: 'Budgets and prices',
      noProgress: 'Jobs without progress',
      retention: 'Cleanup',
      backup: 'Backup',
    },
  },
  {
    title: 'Models and agents',
    sections: {
      llm: 'Models',
      intelligence: 'Workflows and agents',
      intake: 'Plan mode',
      mcpServers: 'Tool servers',
      inheritClaudeCodeMcps: 'Tool servers of Claude Code',
    },
  },
  {
    title: 'Connections',
    sections: {
      forges: 'Forges',
      plugins: 'Plugins',
      triggers: 'Triggers',
      notifications: 'Notifications',
      traces: 'Traces',
      server: 'HTTP server',
      cloud: 'Control plane',
    },
  },
  {
    title: 'Rules',
    sections: {
      guardrails: 'Guardrails',
      invariants: 'Invariants',
      decision: 'Decision layer',
      proposals: 'Proposals',
      coachMode: 'Coach mode',
    },
  },
  {
    title: 'Team and home',
    sections: {
      tenant: 'Team',
      settings: 'Team defaults',
      paths: 'Folders',
      setup: 'Setup wizard',
    },
  },
];

export const OTHER_SETTINGS = 'Other';

/** Older forms of other sections: read, and written in their place by the runner. */
const LEGACY = new Set(['git', 'tracker', '$schema']);

export interface SettingsSection {
  key: string;
  title: string;
  /** Title of its group. */
  group: string;
  help: string;
  field: FormField;
}

/** A field and those in it, as people call them. */
const nameSettings = (field: FormField): FormField => ({
  ...field,
  label: SETTING_NAMES[toConfigKey(field.path)] ?? field.label,
  members: field.members.map(nameSettings),
});

/** The sections of the configuration by their groups; those of no group come last. */
export function listSettingsSections(schema: FormSchema): SettingsSection[] {
  const namedSections = SETTINGS_GROUPS.flatMap(({ title: group, sections }) =>
    Object.entries(sections).map(([key, title]) => ({ key, title, group })),
  );
  const order = namedSections.map(({ key }) => key);
  return Object.entries(schema.properties ?? {})
    .filter(([key]) => !LEGACY.has(key))
    .map(([key, inner]) => {
      const field = nameSettings(buildFormField(inner, [key]));
      const names = namedSections.find((one) => one.key === key);
      const { title, group } = names ?? { title: field.label, group: OTHER_SETTINGS };
      return { key, title, group, help: inner.description ?? '', field };
    })
    .sort((a, b) => findPlaceInOrder(order, a.key) - findPlaceInOrder(order, b.key));
}

const findPlaceInOrder = (order: readonly string[], key: string): number => {
  const at = order.indexOf(key);
  return at === -1 ? order.length : at;
};

/** A key as the file and `svc config` name it. */
export const toConfigKey = (path: readonly string[]): string => path.join('.');

/** Whether a change of a key counts only from the next start of the runner on. */
export const keyNeedsRestart = (key: string, live: readonly string[]): boolean =>
  !live.some((one) => key === one || key.startsWith(`${one}.`));

/** Where a value comes from, in a word; null = it is the default. */
export function describeValueOrigin(
  value: ConfigValue | undefined,
): { says: string; from: string } | null {
  if (value === undefined || value.origin === 'default') return null;
  const from = value.from ?? '';
  if (value.origin === 'file') return { says: 'set', from };
  return { says: value.origin === 'flag' ? `flag ${from}` : `variable ${from}`, from };
}

/** Whether a field is about what was searched for; words in any order. */
export function fieldMatches({ path, label, help }: FormField, search: string): boolean {
  const text = `${toConfigKey(path)} ${label} ${help}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

const flattenFields = (field: FormField): FormField[] =>
  field.kind === 'group' ? field.members.flatMap(flattenFields) : [field];

export const countMatchingFields = ({ field }: SettingsSection, search: string): number =>
  flattenFields(field).filter((one) => fieldMatches(one, search)).length;
