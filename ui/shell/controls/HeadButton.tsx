import { Icon, type IconName } from './Icon.tsx';

/** What a page can also do, in its head: on a phone an icon alone, so that the head stays a line. */
export function HeadButton(props: {
  says: string;
  icon: IconName;
  disabled?: boolean;
  onClick: () => void;
}) {
  return (
    <button
      type="button"
      class="quiet head-button"
      title={props.says}
      disabled={props.disabled === true}
      onClick={() => props.onClick()}
    >
      <Icon name={props.icon} /> <span>{props.says}</span>
    </button>
  );
}
