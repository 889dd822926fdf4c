import { subscribe, unsubscribe } from 'node:diagnostics_channel';

export async function countProcesses<T>(
  run: () => Promise<T>,
): Promise<{ result: T; processes: number }> {
  let processes = 0;
  const count = () => {
    processes += 1;
  };
  subscribe('child_process', count);
  try {
    const result = await run();
    return { result, processes };
  } finally {
    unsubscribe('child_process', count);
  }
}
