import type Type from 'typebox';

interface SchemaError {
  keyword: string;
  instancePath: string;
  message: string;
  params: object;
}

const readErrorParamNames = (params: object, member: string): string[] => {
  const value: unknown = Object.entries(params).find(([key]) => key === member)?.[1];
  return Array.isArray(value) ? value.map(String) : [];
};

const joinArgumentPath = (path: string, name: string): string =>
  path === '' ? name : `${path.slice(1).replaceAll('/', '.')}.${name}`;

function describeArgumentError(error: SchemaError): string | null {
  switch (error.keyword) {
    // The error of `additionalProperties` says the same, with the names.
    case 'boolean':
      return null;
    case 'additionalProperties':
      return readErrorParamNames(error.params, 'additionalProperties')
        .map((name) => `"${joinArgumentPath(error.instancePath, name)}" is not a field of it`)
        .join('; ');
    case 'required':
      return readErrorParamNames(error.params, 'requiredProperties')
        .map((name) => `"${joinArgumentPath(error.instancePath, name)}" is missing`)
        .join('; ');
    case 'enum':
      return `"${joinArgumentPath(error.instancePath, '').slice(0, -1)}" must be one of ${readErrorParamNames(error.params, 'allowedValues').join(', ')}`;
    default:
      return error.instancePath === ''
        ? `the arguments ${error.message}`
        : `"${joinArgumentPath(error.instancePath, '').slice(0, -1)}" ${error.message}`;
  }
}

/**
 * What is wrong with a tool's arguments, field by field, and which fields exist, so that the next
 * call can be right.
 */
export function explainArgumentErrors(
  tool: string,
  input: Type.TObject,
  errors: readonly SchemaError[],
): string {
  const required: readonly string[] = Array.isArray(input.required) ? input.required : [];
  const allowed = Object.keys(input.properties).map((name) =>
    required.includes(name) ? name : `${name}?`,
  );
  const wrong = errors.map(describeArgumentError).filter((one) => one !== null);
  return `${tool}: nothing was done. ${wrong.join('; ')}. Fields: ${allowed.length > 0 ? allowed.join(', ') : 'none'} (? = may be left out).`;
}
