import { basename, dirname } from 'node:path/posix';
import { type ImportGraph, findImported } from './importGraph.ts';

const REACHES_ALL = /^(?:package(?:-lock)?\.json|tsconfig\.json|scripts\/bundleTests\.ts)$/;

/**
 * The tests that a change of `changed` can reach: those that import one of the files, directly or not; and those
 * that name one which nothing imports, such as a page or a fixture, or its folder. A test that drives the built
 * program imports little of it and is reached by little: its smoke is in the default lane.
 */
export function selectReached(
  graph: ImportGraph,
  tests: readonly string[],
  changed: readonly string[],
): string[] {
  if (changed.some((file) => REACHES_ALL.test(file))) return [...tests];
  const sources = new Set(changed.filter((file) => graph.sources.has(file)));
  const changedNames = changed
    .filter((file) => !graph.sources.has(file))
    .flatMap((file) => [basename(file), basename(dirname(file))])
    .filter((name) => name !== '.' && name !== '');
  const names = changedNames
    .map((name) => `'${name}'`)
    .concat(changedNames.map((name) => `/${name}'`));
  return tests.filter((test) => {
    const imported = findImported(graph, test);
    if ([...imported].some((file) => sources.has(file))) return true;
    return [...imported].some((file) => {
      if (!file.startsWith('test/')) return false;
      const source = graph.sources.get(file) ?? '';
      return names.some((name) => source.includes(name));
    });
  });
}
