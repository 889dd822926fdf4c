import { useDashboard } from '../shell/dashboard.ts';
import { Icon } from '../shell/controls/Icon.tsx';

/** A line that is copied by a click; where the browser does not let a page copy, it is selected. */
export function CopyLine(props: { text: string; label: string }) {
  const { shell } = useDashboard();
  let code: HTMLElement | undefined;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(props.text);
      shell.trigger.did({ text: 'Copied.' });
    } catch {
      if (code) getSelection()?.selectAllChildren(code);
      shell.trigger.did({ text: 'Selected. Copy it with Ctrl+C.' });
    }
  };
  return (
    <div class="copy-line">
      <code ref={code}>{props.text}</code>
      <button
        type="button"
        aria-label={props.label}
        title={props.label}
        onClick={() => void copy()}
      >
        <Icon name="copy" /> Copy
      </button>
    </div>
  );
}
