import type { Node, Tree, TreeCursor } from 'web-tree-sitter';
import type { Definition } from '../repository.ts';

const MAX_NODES = 1_500_000;
const MAX_DEFINITIONS = 20_000;

/** Node types of the grammars that define something, and what a reader calls it. */
const KINDS = new Map<string, string>([
  ...entries(
    'function',
    'function_definition function_declaration generator_function_declaration function_item local_function_statement',
  ),
  ...entries(
    'method',
    'method_definition method_declaration method singleton_method constructor_declaration compact_constructor_declaration destructor_declaration operator_declaration property_declaration abstract_method_signature method_signature secondary_constructor',
  ),
  ...entries(
    'class',
    'class_definition class_declaration abstract_class_declaration class_specifier class object_declaration companion_object',
  ),
  ...entries('interface', 'interface_declaration annotation_type_declaration'),
  ...entries('struct', 'struct_item struct_specifier struct_declaration union_item union_specifier'),
  ...entries('enum', 'enum_declaration enum_item enum_specifier'),
  ...entries('trait', 'trait_item trait_declaration'),
  ...entries('impl', 'impl_item'),
  ...entries(
    'type',
    'type_alias_declaration type_spec type_item type_alias record_declaration delegate_declaration alias_declaration type_definition',
  ),
  ...entries('module', 'module mod_item namespace_definition namespace_declaration internal_module'),
  ...entries('macro', 'macro_definition preproc_function_def preproc_def'),
  ...entries(
    'variable',
    'variable_declarator init_declarator const_item static_item const_spec var_spec public_field_definition',
  ),
]);

function entries(kind: string, types: string): [string, string][] {
  return types.split(' ').map((type) => [type, kind]);
}

/** The definitions of a parsed file in their order, with decorators and modifiers inside their lines. */
export function treeDefinitions(tree: Tree): Definition[] {
  const found: Definition[] = [];
  const cursor = tree.walk();
  const enclosing: number[] = [];
  let visited = 0;
  for (let more = true; more && visited < MAX_NODES && found.length < MAX_DEFINITIONS; visited++) {
    while (enclosing.length > 0 && (enclosing.at(-1) as number) <= cursor.startIndex) enclosing.pop();
    const defined = KINDS.has(cursor.nodeType) ? asDefinition(cursor.currentNode, enclosing.length) : undefined;
    if (defined) {
      found.push(defined);
      enclosing.push(cursor.endIndex);
    }
    more = advance(cursor);
  }
  cursor.delete();
  return found;
}

/** To the next node in document order; false after the last. */
function advance(cursor: TreeCursor): boolean {
  if (cursor.gotoFirstChild()) return true;
  while (!cursor.gotoNextSibling()) if (!cursor.gotoParent()) return false;
  return true;
}

function asDefinition(node: Node, depth: number): Definition | undefined {
  const kind = kindOf(node);
  if (node.type.endsWith('_specifier') && !node.childForFieldName('body')) return undefined;
  if (kind === 'variable' && !isNotable(node, depth)) return undefined;
  const name = nameOf(node);
  if (name === undefined) return undefined;
  const parent = node.parent;
  const outer = parent && WRAPPERS.has(parent.type) ? parent : node;
  const isFunction = kind === 'variable' && FUNCTIONS.has(node.childForFieldName('value')?.type ?? '');
  return {
    name,
    kind: isFunction ? 'function' : kind,
    startLine: outer.startPosition.row + 1,
    endLine: lastLine(outer),
    depth,
  };
}

/** Kotlin has one node for classes and interfaces, and one for the properties of a file and of a class. */
function kindOf(node: Node): string {
  if (node.type === 'class_declaration' && node.children.some((child) => child?.type === 'interface'))
    return 'interface';
  const isKotlin = node.type === 'property_declaration' && kotlinProperty(node) !== undefined;
  return isKotlin ? 'variable' : (KINDS.get(node.type) as string);
}

const kotlinProperty = (node: Node): Node | undefined =>
  node.namedChildren.find((child) => child?.type === 'variable_declaration')?.firstNamedChild ?? undefined;

const WRAPPERS = new Set(['decorated_definition', 'export_statement', 'template_declaration']);
const FUNCTIONS = new Set(['arrow_function', 'function_expression', 'generator_function', 'function', 'class']);

/** Of variables only those of a whole file, and those that hold a function. */
function isNotable(node: Node, depth: number): boolean {
  return depth === 0 || FUNCTIONS.has(node.childForFieldName('value')?.type ?? '');
}

/** A node that ends at the start of a line does not reach into it. */
function lastLine(node: Node): number {
  const { row, column } = node.endPosition;
  return column === 0 && row > node.startPosition.row ? row : row + 1;
}

function nameOf(node: Node): string | undefined {
  if (node.type === 'secondary_constructor') return 'constructor';
  const named =
    node.childForFieldName('name') ??
    innermostDeclarator(node) ??
    (node.type === 'property_declaration' ? kotlinProperty(node) : undefined) ??
    node.childForFieldName('type');
  const text = named?.text;
  return text !== undefined && text !== '' && text.length <= 200 && !text.includes('\n') ? text : undefined;
}

const UNNAMED_INNER = new Set(['reference_declarator', 'parenthesized_declarator']);

/** C and C++ wrap the name in pointers, references and parameter lists. */
function innermostDeclarator(node: Node): Node | null {
  let found: Node | null = null;
  for (let next: Node | null = node, hops = 0; next && hops < 12; hops++) {
    found = next === node ? null : next;
    next = next.childForFieldName('declarator') ?? (UNNAMED_INNER.has(next.type) ? next.firstNamedChild : null);
  }
  return found;
}
