import { createSignal, createUniqueId, type JSX } from 'solid-js';
import { Icon } from '../shell/controls/Icon.tsx';
import './graphOptions.css';

/** Boxes to tick beside a picture; on a phone they stand behind a button. */
export function GraphOptions(props: { children: JSX.Element }) {
  const [isOpen, setOpen] = createSignal(false);
  const id = createUniqueId();
  return (
    <>
      <button
        type="button"
        class="icon-only graph-options-button"
        aria-label="Options"
        title="Options"
        aria-expanded={isOpen()}
        aria-controls={id}
        onClick={() => setOpen((open) => !open)}
      >
        <Icon name="sliders" />
      </button>
      <span class="graph-options" classList={{ open: isOpen() }} id={id}>
        {props.children}
      </span>
    </>
  );
}
