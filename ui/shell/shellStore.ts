import { createStore } from '@xstate/store';
import type { Client } from '../../src/api/client/client.ts';

export type ThemeChoice = 'system' | 'light' | 'dark';

export interface Undo {
  /** What is reported once it was taken back, such as `Resumed.` */
  says: string;
  send: (client: Client) => Promise<unknown>;
}

export interface Toast {
  id: number;
  /** The outcome; `error` is what was thrown. */
  kind: 'done' | 'error';
  text: string;
  error: unknown;
  /** Null = it cannot be taken back. */
  undo: Undo | null;
}

/** Most toasts at once; the oldest goes. */
const MAX_TOASTS = 4;

export type ShellDialog = 'palette' | 'help' | 'stopAll';

/** Since when the runner waits for its control plane, and for how many changes. */
export interface CloudWait {
  /** ISO 8601. */
  since: string;
  changes: number;
}

interface Shell {
  /** Epoch ms since when the runner does not answer; null = it does. */
  lostSince: number | null;
  /** Rises whenever the connection or the login is back: what is shown must be read again. */
  healed: number;
  loginNeeded: boolean;
  /** Null = the control plane answers, or none exists. */
  cloudWait: CloudWait | null;
  /** Rises with each change that was refused because the control plane is away. */
  refusals: number;
  toasts: Toast[];
  dialog: ShellDialog | null;
  theme: ThemeChoice;
  notify: boolean;
  singleKeys: boolean;
}

export interface ShellStart {
  theme: ThemeChoice;
  notify: boolean;
  singleKeys: boolean;
}

export const createShellStore = (start: ShellStart) => {
  let lastToast = 0;
  const withToast = (context: Shell, toast: Omit<Toast, 'id'>): Shell => {
    lastToast += 1;
    return {
      ...context,
      toasts: [...context.toasts, { ...toast, id: lastToast }].slice(-MAX_TOASTS),
    };
  };
  return createStore({
    context: {
      lostSince: null,
      healed: 0,
      loginNeeded: false,
      cloudWait: null,
      refusals: 0,
      toasts: [],
      dialog: null,
      ...start,
    } as Shell,
    on: {
      lost: (context, event: { at: number }) =>
        context.lostSince === null ? { ...context, lostSince: event.at } : context,
      answered: (context) =>
        context.lostSince === null
          ? context
          : { ...context, lostSince: null, healed: context.healed + 1 },
      cloudWaits: (context, { wait }: { wait: CloudWait | null }) =>
        wait?.since === context.cloudWait?.since && wait?.changes === context.cloudWait?.changes
          ? context
          : { ...context, cloudWait: wait },
      refusedForCloud: (context) => ({ ...context, refusals: context.refusals + 1 }),
      loginNeeded: (context) => (context.loginNeeded ? context : { ...context, loginNeeded: true }),
      loggedIn: (context) => ({ ...context, loginNeeded: false, healed: context.healed + 1 }),
      did: (context, event: { text: string; undo?: Undo | undefined }) =>
        withToast(context, {
          kind: 'done',
          text: event.text,
          error: null,
          undo: event.undo ?? null,
        }),
      failed: (context, event: { text: string; error: unknown }) =>
        withToast(context, { kind: 'error', text: event.text, error: event.error, undo: null }),
      dismissed: (context, event: { id: number }) => ({
        ...context,
        toasts: context.toasts.filter(({ id }) => id !== event.id),
      }),
      opened: (context, event: { dialog: ShellDialog }) => ({
        ...context,
        dialog: event.dialog,
      }),
      closed: (context) => ({ ...context, dialog: null }),
      themed: (context, event: { theme: ThemeChoice }) => ({ ...context, theme: event.theme }),
      notifying: (context, event: { notify: boolean }) => ({ ...context, notify: event.notify }),
      keyed: (context, event: { singleKeys: boolean }) => ({
        ...context,
        singleKeys: event.singleKeys,
      }),
    },
  });
};

export type ShellStore = ReturnType<typeof createShellStore>;
