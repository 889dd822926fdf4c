import type { LayerName } from './authoredFiles.ts';

interface SaveFacts {
  canSave: boolean;
  /** Whether what is changed becomes a proposal for the team. */
  proposes: boolean;
  /** Whether it is a file of a team's overlay at its control plane. */
  isOfTeam: boolean;
  isChecked: boolean;
  hasErrors: boolean;
  layer: LayerName | undefined;
}

export function describeSave({
  canSave,
  proposes,
  isOfTeam,
  isChecked,
  hasErrors,
  layer,
}: SaveFacts): string {
  if (!canSave && !proposes)
    return isOfTeam
      ? 'Only a member of the team can propose a change, and only an admin can save.'
      : 'Nowhere to save: set tenant.overlay to a localDir in the configuration.';
  if (!isChecked)
    return isOfTeam
      ? `You can ${proposes ? 'propose it' : 'save'} once the linter of a connected runner has checked it.`
      : 'You can save once the linter has checked it.';
  if (hasErrors)
    return proposes
      ? 'Fix the errors to propose it.'
      : 'Fix the errors to save. Running jobs read saved files at their next phase.';
  if (proposes)
    return 'It becomes a proposal: once approved, another member of the team applies it.';
  if (isOfTeam) return "Saving makes the next version of the team's overlay.";
  return layer === 'tenant'
    ? 'Saving writes to the tenant layer.'
    : `Saving creates a copy in the tenant layer, which overrides the ${layer} layer.`;
}
