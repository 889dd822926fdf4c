import { createSignal, type JSX } from 'solid-js';
import { AWAY } from './CommandRow.tsx';
import { Dialog } from './Dialog.tsx';
import { useDashboard } from '../dashboard.ts';
import { useStore } from '../useStore.ts';

/** Asks before an action; Ctrl+Enter does it. Closes when accepted, stays when refused. */
export function AskDialog(props: {
  title: string;
  says: string;
  danger?: boolean;
  /** What the button says that does nothing. Default: Cancel. */
  keep?: string;
  /** False while nothing can be sent. Default true. */
  isReady?: boolean;
  close: () => void;
  send: () => Promise<boolean>;
  children: JSX.Element;
}) {
  const [busy, setBusy] = createSignal(false);
  const isLost = useStore(useDashboard().shell, (context) => context.lostSince !== null);
  let form: HTMLFormElement | undefined;
  const isOff = () => busy() || isLost() || props.isReady === false;
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (isOff()) return;
    setBusy(true);
    const wasTaken = await props.send();
    setBusy(false);
    if (wasTaken) props.close();
  };
  return (
    <Dialog label={props.title} close={props.close} submit={() => isOff() || form?.requestSubmit()}>
      <form class="stack" ref={form} onSubmit={submit}>
        <h2>{props.title}</h2>
        {props.children}
        <div class="row">
          <button
            type="submit"
            class={props.danger ? 'danger' : 'primary'}
            disabled={isOff()}
            title={isLost() ? AWAY : undefined}
          >
            {props.says}
          </button>
          <button type="button" onClick={() => props.close()}>
            {props.keep ?? 'Cancel'}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
