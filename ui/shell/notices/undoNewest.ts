import type { Dashboard } from '../dashboard.ts';
import type { ShellStore, Toast } from '../shellStore.ts';

export function undo(shell: ShellStore, run: Dashboard['run'], toast: Toast): void {
  if (toast.undo === null) return;
  shell.trigger.dismissed({ id: toast.id });
  void run(toast.undo.says, toast.undo.send);
}

export function undoNewest(shell: ShellStore, run: Dashboard['run']): void {
  const newest = shell.getSnapshot().context.toasts.findLast((toast) => toast.undo !== null);
  if (newest) undo(shell, run, newest);
}
