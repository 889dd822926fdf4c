import { stripTexts } from '../importScan.ts';
import { type ImportGraph, findImported } from '../importGraph.ts';

/** Folders whose tests drive whole processes, many lives or the project itself. */
const OWN_PROCESS = /^test\/(?:attacks|bench|browser|crash|fixtures|sim|stories)\//;

/**
 * What a test must not do to a process in which other files run, and how a source shows it. Servers and programs
 * that a file leaves running are found when it has ended (`listLeftBehind`), but for what the process does not wait for.
 */
const HAZARDS: Readonly<Record<string, RegExp>> = {
  'starts a thread': /\bfrom 'node:(?:cluster|worker_threads)'/,
  'builds the product': /\/scripts\/bundle\w*\.ts'/,
  'changes the environment':
    /\bprocess\.env(?:\[[^\]]+\]|\.\w+)?\s*\??\??=(?!=)|\bdelete process\.env|\bObject\.assign\(process\.env/,
  'changes the process':
    /\bprocess\.(?:(?:on|once)\((?!'exit')|(?:chdir|exit|umask|abort|emit)\()|\bprocess\.(?:exitCode|title|argv|std(?:out|err)\.\w+)\s*=(?!=)/,
  'changes what is global':
    /(?<!\btypeof )\bglobal(?:This)?(?:\[[^\]]+\]|\.\w+)\s*=(?!=)|\bObject\.\w+\(globalThis|\bdelete globalThis|\.prototype(?:\.\w+|\[[^\]]+\])\s*=(?!=)|\bsetGlobalDispatcher\b/,
};

/** What a file says whose timers outlive it, or which asks what the whole process does. */
const ASKS_FOR_OWN = /^\/\/ Runs in a process of its own: /m;

/** An entry point of a child process: it would take the messages that a shared process gets from the test runner. */
const HEARS_PARENT = /\bprocess\.(?:on|once)\('(?:message|disconnect)'/;

/**
 * Why a test file needs a process of its own, as `<what>: <file>`; none where it may share one.
 * Judged by what is written in the test and in what it imports of `test/`: what it calls in the product does
 * not touch the process, unless it is the entry point of one.
 */
export function findSharingHazards(graph: ImportGraph, file: string): string[] {
  if (OWN_PROCESS.test(file)) return [`is in a folder of processes: ${file}`];
  if (ASKS_FOR_OWN.test(graph.sources.get(file) ?? '')) return [`asks for it: ${file}`];
  const own = findImported(graph, file, (target) => target.startsWith('test/'));
  const entries = [...findImported(graph, file)]
    .filter((at) => !at.startsWith('test/') && HEARS_PARENT.test(graph.sources.get(at) ?? ''))
    .map((at) => `hears its parent process: ${at}`);
  const hazards = [...own].flatMap((at) => {
    const code = stripTexts(graph.sources.get(at) ?? '');
    return Object.entries(HAZARDS)
      .filter(([, pattern]) => pattern.test(code))
      .map(([what]) => `${what}: ${at}`);
  });
  return [...entries, ...hazards];
}
