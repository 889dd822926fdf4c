import { Icon } from '../../shell/controls/Icon.tsx';
import { useDashboard } from '../../shell/dashboard.ts';

/** An id that is copied by a click; where the browser does not let a page copy, it is selected. */
export function CopyIdButton(props: { id: string }) {
  const { shell } = useDashboard();
  let code: HTMLElement | undefined;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(props.id);
      shell.trigger.did({ text: 'Job id copied.' });
    } catch {
      if (code) getSelection()?.selectAllChildren(code);
      shell.trigger.did({ text: 'Job id selected. Copy it with Ctrl+C.' });
    }
  };
  return (
    <span class="copy-id">
      <code ref={code}>{props.id}</code>
      <button
        type="button"
        class="quiet icon-only"
        aria-label="Copy the job id"
        title="Copy the job id"
        onClick={() => void copy()}
      >
        <Icon name="copy" />
      </button>
    </span>
  );
}
