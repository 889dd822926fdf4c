import { stripTexts } from '../importScan.ts';
import { type ImportGraph, findImported } from '../importGraph.ts';

/** Folders whose tests drive whole processes, many lives or the project itself. */
const OWN_PROCESS = /^test\/(?:attacks|bench|browser|crash|docs|fixtures|house|sim|stories)\//;

/** What a test must not do to a process in which other files run, and how a source shows it. */
const HAZARDS: Readonly<Record<string, RegExp>> = {
  'starts a program': /\bfrom 'node:(?:child_process|cluster|worker_threads)'/,
  'builds the product': /\/scripts\/bundle\w*\.ts'/,
  'has a server': /\bcreateServer\(|\.listen\(/,
  'changes the environment':
    /\bprocess\.env(?:\[[^\]]+\]|\.\w+)?\s*\??\??=(?!=)|\bdelete process\.env|\bObject\.assign\(process\.env/,
  'changes the process':
    /\bprocess\.(?:chdir|exit|on|once|umask|kill|abort|emit)\(|\bprocess\.(?:exitCode|title|argv|std(?:out|err)\.\w+)\s*=(?!=)/,
  'changes what is global':
    /\bglobal(?:This)?(?:\[[^\]]+\]|\.\w+)\s*=(?!=)|\bObject\.\w+\(globalThis|\bdelete globalThis|\.prototype(?:\.\w+|\[[^\]]+\])\s*=(?!=)|\bsetGlobalDispatcher\b/,
  'runs more in the long lane': /\blongLane\(|\binLongLane\b/,
};

/** An entry point of a child process: it would take the messages that a shared process gets from the test runner. */
const HEARS_PARENT = /\bprocess\.(?:on|once)\('(?:message|disconnect)'/;

/**
 * Why a test file needs a process of its own, as `<what>: <file>`; none where it may share one.
 * Judged by what is written in the test and in what it imports of `test/`: what it calls in the product does
 * not touch the process, unless it is the entry point of one.
 */
export function findSharingHazards(graph: ImportGraph, file: string): string[] {
  if (OWN_PROCESS.test(file)) return [`is in a folder of processes: ${file}`];
  const own = findImported(graph, file, (target) => target.startsWith('test/'));
  const entries = [...findImported(graph, file)]
    .filter((at) => !at.startsWith('test/') && HEARS_PARENT.test(graph.sources.get(at) ?? ''))
    .map((at) => `hears its parent process: ${at}`);
  const hazards = [...own].flatMap((at) => {
    const code = stripTexts(graph.sources.get(at) ?? '');
    return Object.entries(HAZARDS)
      .filter(([, shown]) => shown.test(code))
      .map(([what]) => `${what}: ${at}`);
  });
  return [...entries, ...hazards];
}
