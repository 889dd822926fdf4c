import ts from 'typescript';

/** The parts of graphql-js that are used; it is fetched when the lane runs. */
export interface Graphql {
  parse(text: string): object;
  validate(schema: object, document: object): readonly { message: string }[];
  executeSync(args: {
    schema: object;
    document: object;
    variableValues: Record<string, unknown>;
    rootValue: object | undefined;
  }): { errors?: readonly { message: string; path?: readonly (string | number)[] }[] };
  GraphQLSchema: new (config: object) => object;
  GraphQLObjectType: new (config: object) => object;
  GraphQLInputObjectType: new (config: object) => object;
  GraphQLEnumType: new (config: object) => object;
  GraphQLUnionType: new (config: object) => object;
  GraphQLScalarType: new (config: object) => object;
  GraphQLList: new (of: object) => object;
  GraphQLNonNull: new (of: object) => object;
  GraphQLID: object;
  GraphQLString: object;
  GraphQLInt: object;
  GraphQLFloat: object;
  GraphQLBoolean: object;
}

type Position = 'output' | 'input';

/** Names by which generated types wrap others. */
const NULLABLE = new Set(['Maybe', 'InputMaybe']);

/**
 * The schema of Linear out of the types that its client was generated with: `Maybe` is a field that
 * may be null, `<Type><Field>Args` are the arguments of a field. Types are made where they are used.
 */
export function buildLinearSchema(graphql: Graphql, text: string): object {
  const source = ts.createSourceFile('linear.d.ts', text, ts.ScriptTarget.Latest);
  const aliases = new Map<string, ts.TypeNode>();
  const enums = new Map<string, ts.EnumDeclaration>();
  for (const statement of source.statements) {
    if (ts.isTypeAliasDeclaration(statement)) aliases.set(statement.name.text, statement.type);
    if (ts.isEnumDeclaration(statement)) enums.set(statement.name.text, statement);
  }
  const typesByName = new Map<string, object>();
  const scalars: Record<string, object> = {
    ID: graphql.GraphQLID,
    String: graphql.GraphQLString,
    Int: graphql.GraphQLInt,
    Float: graphql.GraphQLFloat,
    Boolean: graphql.GraphQLBoolean,
  };
  const once = (name: string, make: () => object): object => {
    const type = typesByName.get(name) ?? make();
    typesByName.set(name, type);
    return type;
  };
  const scalar = (name: string): object =>
    scalars[name] ?? once(name, () => new graphql.GraphQLScalarType({ name }));

  /** Members of an object type, those of the interfaces that it extends among them. */
  function listMembers(node: ts.TypeNode | undefined): ts.PropertySignature[] {
    if (node === undefined) return [];
    if (ts.isTypeLiteralNode(node)) return node.members.filter(ts.isPropertySignature);
    if (ts.isIntersectionTypeNode(node)) return node.types.flatMap(listMembers);
    if (ts.isTypeReferenceNode(node)) return listMembers(aliases.get(getReferenceName(node)));
    return [];
  }
  const getReferenceName = (node: ts.TypeReferenceNode): string => node.typeName.getText(source);
  const fieldName = (member: ts.PropertySignature): string => member.name.getText(source);

  /** Nullable; `required` wraps it. */
  function toSchemaType(node: ts.TypeNode, position: Position): object {
    if (ts.isIndexedAccessTypeNode(node))
      return scalar(node.indexType.getText(source).replace(/["']/g, ''));
    if (!ts.isTypeReferenceNode(node)) throw new Error(`not understood: ${node.getText(source)}`);
    const [inner] = node.typeArguments ?? [];
    const name = getReferenceName(node);
    if (inner && NULLABLE.has(name)) return toSchemaType(inner, position);
    if (inner && name === 'Array') return new graphql.GraphQLList(required(inner, position));
    return buildNamedType(name, position);
  }
  function required(node: ts.TypeNode, position: Position): object {
    const isNullable = ts.isTypeReferenceNode(node) && NULLABLE.has(getReferenceName(node));
    const type = toSchemaType(node, position);
    return isNullable ? type : new graphql.GraphQLNonNull(type);
  }

  const buildNamedType = (name: string, position: Position): object =>
    once(name, () => {
      const values = enums.get(name);
      if (values) {
        const entries = values.members.map((member) => {
          const text = member.initializer?.getText(source).replace(/["']/g, '') ?? '';
          return [text, {}];
        });
        return new graphql.GraphQLEnumType({ name, values: Object.fromEntries(entries) });
      }
      const alias = aliases.get(name);
      if (alias === undefined) throw new Error(`there is no type ${name}`);
      if (ts.isUnionTypeNode(alias)) {
        const types = () => alias.types.map((one) => toSchemaType(one, position));
        return new graphql.GraphQLUnionType({ name, types });
      }
      const fields = () => listFields(name, alias, position);
      return position === 'input'
        ? new graphql.GraphQLInputObjectType({ name, fields })
        : new graphql.GraphQLObjectType({ name, fields });
    });

  function listFields(name: string, alias: ts.TypeNode, position: Position): object {
    const entries = listMembers(alias).flatMap((member) => {
      const field = fieldName(member);
      if (field === '__typename' || member.type === undefined) return [];
      const type = required(member.type, position);
      if (position === 'input') return [[field, { type }]];
      const args = aliases.get(`${name}${field[0]?.toUpperCase()}${field.slice(1)}Args`);
      const argTypes = listMembers(args).flatMap((one) =>
        one.type ? [[fieldName(one), { type: required(one.type, 'input') }]] : [],
      );
      return [[field, { type, args: Object.fromEntries(argTypes) }]];
    });
    return Object.fromEntries(entries);
  }

  return new graphql.GraphQLSchema({
    query: buildNamedType('Query', 'output'),
    mutation: buildNamedType('Mutation', 'output'),
  });
}
