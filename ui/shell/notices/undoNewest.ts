import type { Dashboard } from '../dashboard.ts';
import type { ShellStore, Toast } from '../shellStore.ts';

/** Takes back what a toast reports, once: the toast goes, and another one reports the outcome. */
export function undo(shell: ShellStore, run: Dashboard['run'], toast: Toast): void {
  if (toast.undo === null) return;
  shell.trigger.dismissed({ id: toast.id });
  void run(toast.undo.says, toast.undo.send);
}

/** Takes back the newest thing that a toast offers to undo; nothing where none does. */
export function undoNewest(shell: ShellStore, run: Dashboard['run']): void {
  const newest = shell.getSnapshot().context.toasts.findLast((toast) => toast.undo !== null);
  if (newest) undo(shell, run, newest);
}
