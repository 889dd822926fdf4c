import { spawn } from 'node:child_process';

export interface ProcessResult {
  code: number;
  /** Both streams, in the order in which they came. */
  output: string;
  stdout: string;
}

/** Runs one of the project's tools with this Node: `script` is its JavaScript file. */
export function runTool(script: string, args: readonly string[]): Promise<ProcessResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
      output += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? 1, output, stdout }));
  });
}
