import type { FakeAnswer } from '../fakeForge/server.ts';
import type { IssueStore, StoredIssue } from './issueStore.ts';

export const MOVES = {
  'To Do': ['In Progress'],
  'In Progress': ['Done', 'To Do'],
  Done: ['In Progress'],
};

export const createRefusal = (
  status: number,
  message: string,
  errors: Record<string, string> = {},
): FakeAnswer => ({
  status,
  body: { errorMessages: Object.keys(errors).length > 0 ? [] : [message], errors },
});

export interface FakeField {
  name: string;
  required: boolean;
  schema: { type: string; items?: string; system?: string; custom?: string };
  allowedValues?: readonly Record<string, unknown>[];
  hasDefaultValue?: boolean;
  operations?: readonly string[];
}

export class JiraWorkflow {
  /** Fields on the screens of transitions, by the status that they lead to. */
  readonly screens = new Map<string, Record<string, FakeField>>();
  /** What validators of the workflow want, beside screens: status → the refusal, null = nothing. */
  readonly validators = new Map<string, (fields: Record<string, unknown>) => string | null>();
  readonly set = new Map<string, Record<string, unknown>>();

  readonly #store: IssueStore;
  readonly #version: 2 | 3;

  constructor(store: IssueStore, version: 2 | 3) {
    this.#store = store;
    this.#version = version;
  }

  transitions({ status }: StoredIssue, expanded: boolean) {
    return (this.#store.moves[status] ?? []).map((to) => {
      const screen = this.screens.get(to);
      const fields = Object.entries(screen ?? {}).map(([key, field]) => [
        key,
        { hasDefaultValue: false, operations: ['set'], key, ...field },
      ]);
      return {
        id: `${Object.keys(MOVES).indexOf(to) + 11}`,
        name: `Go to ${to}`,
        to: { name: to },
        hasScreen: screen !== undefined,
        isAvailable: true,
        ...(expanded ? { fields: Object.fromEntries(fields) } : {}),
      };
    });
  }

  move(issue: StoredIssue, body: Record<string, unknown>): FakeAnswer {
    const { id } = Object(body.transition);
    const way = this.transitions(issue, false).find((one) => one.id === id);
    if (!way)
      return createRefusal(
        400,
        'It seems that you have tried to perform an illegal workflow operation.',
      );
    const to = way.to.name;
    const screen = this.screens.get(to) ?? {};
    const fields: Record<string, unknown> = { ...Object(body.fields), ...Object(body.update) };
    const errors: Record<string, string> = {};
    for (const [name, value] of Object.entries(fields)) {
      const wrong = this.#wrongIn(screen[name], value);
      if (wrong !== null) errors[name] = wrong.replace('%s', name);
    }
    for (const [name, field] of Object.entries(screen))
      if (field.required && !Object.hasOwn(fields, name) && field.hasDefaultValue !== true)
        errors[name] = `${field.name} is required.`;
    if (Object.keys(errors).length > 0) return createRefusal(400, '', errors);
    const why = this.validators.get(to)?.(fields) ?? null;
    if (why !== null) return createRefusal(400, why);
    issue.status = to;
    issue.updatedAt = this.#store.clock.now();
    this.set.set(issue.key, fields);
    return { status: 204, body: '' };
  }

  /** What Jira says of a value that it does not take; null = it takes it. */
  #wrongIn(field: FakeField | undefined, value: unknown): string | null {
    if (field === undefined)
      return "Field '%s' cannot be set. It is not on the appropriate screen, or unknown.";
    const { type, items, system, custom } = field.schema;
    if (type === 'array' && !Array.isArray(value)) return 'data was not an array';
    const takesDocument =
      this.#version === 3 && (system === 'environment' || custom?.endsWith(':textarea') === true);
    for (const one of type === 'array' && Array.isArray(value) ? value : [value]) {
      const kind = type === 'array' ? items : type;
      if (field.allowedValues) {
        const { id } = Object(one);
        if (!field.allowedValues.some((allowed) => allowed.id === id))
          return "Could not find valid 'id' in the Parent Option object.";
      } else if (kind === 'string' && takesDocument !== (Object(one).type === 'doc'))
        return takesDocument
          ? 'Operation value must be an Atlassian Document (see the Atlassian Document Format)'
          : 'Operation value must be a string';
      else if (kind === 'number' && typeof one !== 'number')
        return 'Operation value must be a number';
      else if (
        kind === 'user' &&
        typeof Object(one)[this.#version === 3 ? 'accountId' : 'name'] !== 'string'
      )
        return 'expected Object containing a user';
    }
    return null;
  }
}
