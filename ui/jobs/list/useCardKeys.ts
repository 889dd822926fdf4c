import { usePageKeys } from '../../shell/keys/pageKeys.ts';

const JOBS = 'a[data-job]';

/**
 * Keys for jobs that are not one list: `j` and `k` move the focus from job to job, so Enter opens
 * the one that has it; `x` selects it where it can be selected. `box`: the element with the jobs.
 */
export function useCardKeys(box: () => HTMLElement | undefined, selects: boolean): void {
  const links = () => [...(box()?.querySelectorAll<HTMLElement>(JOBS) ?? [])];
  const move = (by: 1 | -1) => {
    const all = links();
    const focusedElement = document.activeElement;
    const here = focusedElement instanceof HTMLElement ? all.indexOf(focusedElement) : -1;
    const next = all[here === -1 ? 0 : here + by];
    next?.focus({ preventScroll: true });
    next?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  };
  const toggle = () =>
    document.activeElement
      ?.closest('[role="row"]')
      ?.querySelector<HTMLInputElement>('input[type="checkbox"]')
      ?.click();
  usePageKeys(() => [
    { keys: ['j'], says: 'Next job', does: { do: () => move(1) } },
    { keys: ['k'], says: 'Previous job', does: { do: () => move(-1) } },
    ...(selects ? [{ keys: ['x'], says: 'Select the job', does: { do: toggle } }] : []),
  ]);
}
