import definitions from '@octokit/webhooks-examples' with { type: 'json' };

/** The types of the package say that this is a module within a module. */
const all: { name: string; examples: unknown[] }[] = Object(definitions);

/** Payloads that GitHub has sent, for every event; each call returns new copies. */
export const githubExamples = (): { name: string; payload: Record<string, unknown> }[] =>
  all.flatMap(({ name, examples }) =>
    examples.map((payload) => ({ name, payload: structuredClone(Object(payload)) })),
  );

export function collectLeaves(value: unknown, leaves = new Set<unknown>()): Set<unknown> {
  if (typeof value !== 'object' || value === null) leaves.add(value);
  else for (const part of Object.values(value)) collectLeaves(part, leaves);
  return leaves;
}
