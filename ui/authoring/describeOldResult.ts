/** Of which text findings are that are not those of the current one. `isUnchecked`: the last attempt has failed. */
export const describeOldFindings = (isUnchecked: boolean): string =>
  `an earlier text. The current text ${isUnchecked ? 'could not be' : 'is being'} checked`;

/** Of which text a drawing is where the current one has none. */
export const OLD_DRAWING = 'an earlier text: the current one cannot be drawn. Fix its errors';
