/** The state of a process that all its test files share. */
export interface ProcessState {
  environment: Readonly<Record<string, string | undefined>>;
  folder: string;
  /** Functions that every file uses, such as `fetch` and `setTimeout`. */
  globals: ReadonlyMap<string, unknown>;
  listeners: number;
  resources: Readonly<Record<string, number>>;
}

function countResources(): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

export const readProcessState = (): ProcessState => ({
  environment: { ...process.env },
  folder: process.cwd(),
  // Getters of Node load a module when they are first called: they are not called.
  globals: new Map(
    Object.entries(Object.getOwnPropertyDescriptors(globalThis)).flatMap(
      ([name, { value }]): [string, unknown][] =>
        typeof value === 'function' ? [[name, value]] : [],
    ),
  ),
  // What is done when the process ends (scratch folders are removed) is done for all files.
  listeners: process
    .eventNames()
    .filter((name) => name !== 'exit')
    .reduce((sum, name) => sum + process.listenerCount(name), 0),
  resources: countResources(),
});

const isSame = (a: ProcessState['environment'], b: ProcessState['environment']): boolean =>
  [...new Set([...Object.keys(a), ...Object.keys(b)])].every((name) => a[name] === b[name]);

export function listLeftBehind(before: ProcessState, after: ProcessState): string[] {
  return [
    ...(isSame(before.environment, after.environment) ? [] : ['environment']),
    ...(before.folder === after.folder ? [] : ['folder']),
    ...(before.listeners >= after.listeners ? [] : ['listener']),
    ...[...before.globals.keys()].filter(
      (name) => before.globals.get(name) !== after.globals.get(name),
    ),
    ...Object.entries(after.resources)
      .filter(([kind, count]) => count > (before.resources[kind] ?? 0))
      .map(([kind]) => kind),
  ];
}
