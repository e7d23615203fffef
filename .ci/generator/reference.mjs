// Writes the package reference of the guide from the package's types: every entry point of pkg/package.json, with the
// exports of its TypeScript in their order. `make generate` runs it.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import ts from "typescript";

const PKG = fileURLToPath(new URL("../../pkg", import.meta.url));
/** The page that this module writes. */
export const PAGE = fileURLToPath(new URL("../../src/guide/package.md", import.meta.url));
/**
 * Entry points with the exports of another one.
 * @type {{ readonly [name: string]: string }}
 */
const SAME = { "resource-edge/inline": "resource-edge" };
/** The longest line of a block of code. */
const WIDTH = 110;

const HEAD = `# Package reference

Every export of the npm package, generated from its types. Start with the package's README, \`pkg/README.md\`: it has
programs and the rules behind the types.

All methods that return a promise reject with a [ResourceError](#resourceerror). Sizes are in bytes and times in
milliseconds, unless the text says otherwise.
`;

/**
 * @typedef {ts.FunctionDeclaration | ts.ConstructorDeclaration | ts.MethodDeclaration | ts.MethodSignature}
 *   Callable
 */

/**
 * An entry point: its exports, the entry points whose exports it repeats, and all types by name.
 * @typedef {object} Section
 * @property {string} name
 * @property {ts.Statement[]} declarations
 * @property {{ names: string[] | undefined, from: string | undefined }[]} repeated
 * @property {Map<string, ts.TypeAliasDeclaration>} types
 */

/** Precedes the name of a type in a link until all headings are known. */
const PENDING = "type:";

/**
 * The statements of a file of types.
 * @param {string} file
 */
function parse(file) {
  // Compiled types would have lost the form of the written ones.
  const path = [`src/${file.replace(/\.d\.ts$/, ".ts")}`, file].map((one) => join(PKG, one)).find(existsSync);
  if (path === undefined) throw new Error(`${file} does not exist`);
  const source = ts.createSourceFile(file, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true);
  const problems = /** @type {{ parseDiagnostics?: ts.Diagnostic[] }} */ (source).parseDiagnostics ?? [];
  if (problems.length > 0)
    throw new Error(`${file}: ${ts.flattenDiagnosticMessageText(problems[0].messageText, "\n")}`);
  return source.statements;
}

/** The entry points: the name to import, and its file of types. */
function entries() {
  const { exports } = JSON.parse(readFileSync(join(PKG, "package.json"), "utf8"));
  /**
   * @param {any} value
   * @returns {string | undefined}
   */
  const types = (value) =>
    typeof value === "string"
      ? undefined
      : (value.types ?? types(Object.values(value).find((one) => types(one) !== undefined) ?? ""));
  const found = Object.entries(exports).map(([path, value]) => ({
    name: join("resource-edge", path),
    file: types(value)?.replace("./", "") ?? "",
  }));
  return found.filter(({ file }) => file !== "");
}

/**
 * @param {ts.Node} node
 * @param {ts.SyntaxKind} modifier
 */
const hasModifier = (node, modifier) =>
  ts.canHaveModifiers(node) && (ts.getModifiers(node)?.some(({ kind }) => kind === modifier) ?? false);
/** @param {ts.Node & { name?: ts.Node }} node */
const nameOf = (node) => node.name?.getText() ?? "";
/** @param {ts.Node} node */
const isExported = (node) => hasModifier(node, ts.SyntaxKind.ExportKeyword);
/** @param {ts.Node} node */
const isInternal = (node) => ts.getJSDocTags(node).some(({ tagName }) => tagName.text === "internal");
/** @param {ts.ClassElement} node */
const isHidden = (node) =>
  hasModifier(node, ts.SyntaxKind.PrivateKeyword) ||
  (node.name !== undefined && ts.isPrivateIdentifier(node.name)) ||
  isInternal(node);
/**
 * Returns the signatures by their names: overloads, or else what is implemented.
 * @template {ts.FunctionDeclaration | ts.MethodDeclaration} Node
 * @param {readonly Node[]} nodes
 */
function overloads(nodes) {
  /** @type {Map<string, Node[]>} */
  const all = new Map();
  for (const node of nodes) all.set(nameOf(node), [...(all.get(nameOf(node)) ?? []), node]);
  for (const [name, some] of all) if (some.length > 1) all.set(name, some.slice(0, -1));
  return all;
}

/**
 * Returns the text of a node's docstring, with one line per paragraph.
 * @param {ts.Node} node
 */
function about(node) {
  const comments = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
  const text = comments.map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? "").join("\n\n");
  const paragraphs = text.split(/\n\s*\n/).map((paragraph) => paragraph.replace(/\s+/g, " ").trim());
  return paragraphs
    .filter(Boolean)
    .join("\n\n")
    .replace(/\{@link (\w+)\}/g, "`$1`")
    .replaceAll("\\`", "`")
    .replace(/(?<!`)https:[^\s),]+/g, "<$&>");
}

/**
 * Returns the text of a type on one line, without the comments in it.
 * @param {ts.Node} node
 */
const flat = (node) =>
  node
    .getText()
    .replace(/\/\*\*[^]*?\*\//g, "")
    .replace(/\s+/g, " ")
    .replace(/^\| /, "");

/**
 * Returns the members of a constant that is a frozen object.
 * @param {ts.VariableDeclaration} node
 */
function frozenMembers({ initializer }) {
  const [object] = initializer !== undefined && ts.isCallExpression(initializer) ? initializer.arguments : [];
  return object !== undefined && ts.isObjectLiteralExpression(object) ? object.properties : undefined;
}

/** The exports of an entry point's file, and of the files that it exports from. */
class Exports {
  /** @type {ts.Statement[]} */
  declarations = [];
  /**
   * Other entry points whose exports this one repeats: the file, and the names if not all are repeated.
   * @type {{ names: string[] | undefined, from: string }[]}
   */
  repeated = [];
  /** All types by name, exported or not. */
  /** @type {Map<string, ts.TypeAliasDeclaration>} */
  types = new Map();
  #seen = new Set();

  /**
   * @param {string} file
   * @param {Set<string>} others
   */
  constructor(file, others) {
    this.#read(file, others);
  }

  /**
   * @param {string} file
   * @param {Set<string>} others
   */
  #read(file, others) {
    if (this.#seen.has(file)) return;
    this.#seen.add(file);
    const statements = parse(file);
    /** @param {string} name */
    const importOf = (name) =>
      statements.find(
        /** @returns {one is ts.ImportDeclaration} */
        (one) =>
          ts.isImportDeclaration(one) &&
          !!(
            /** @type {ts.NamedImports | undefined} */ (one.importClause?.namedBindings)?.elements.some(
              (element) => element.name.text === name,
            )
          ),
      );
    for (const statement of statements) {
      if (ts.isTypeAliasDeclaration(statement)) this.types.set(statement.name.text, statement);
      if (ts.isExportDeclaration(statement)) {
        const clause = /** @type {ts.NamedExports | undefined} */ (statement.exportClause);
        const names = clause?.elements.map(({ name }) => name.text);
        const source = statement.moduleSpecifier === undefined ? importOf(names?.[0] ?? "") : statement;
        if (source === undefined) throw new Error(`${file}: ${flat(statement)} exports what is not imported`);
        const { text } = /** @type {ts.StringLiteral} */ (source.moduleSpecifier);
        const from = join(dirname(file), text).replace(/\.js$/, ".d.ts");
        if (others.has(from)) this.repeated.push({ names, from });
        else this.#read(from, others);
      } else if ((isExported(statement) && !isInternal(statement)) || ts.isExportAssignment(statement)) {
        this.declarations.push(statement);
      }
    }
  }
}

class Page {
  out = HEAD;
  /**
   * The types of the section that is written, by name.
   * @type {Section["types"]}
   */
  types = new Map();

  constructor() {
    const all = entries();
    const files = new Map(all.map(({ name, file }) => [file, name]));
    this.sections = all.map(({ name, file }) => {
      const from = SAME[name];
      if (from !== undefined)
        return { name, declarations: [], repeated: [{ names: undefined, from }], types: new Map() };
      const others = new Set([...files.keys()].filter((other) => other !== file));
      const { declarations, repeated, types } = new Exports(file, others);
      return {
        name,
        declarations,
        repeated: repeated.map(({ names, from }) => ({ names, from: files.get(from) })),
        types,
      };
    });
    this.known = new Set(this.sections.flatMap(({ declarations }) => declarations.map(nameOf).filter(Boolean)));
  }

  write() {
    for (const section of this.sections) this.writeSection(section);
    return this.linked();
  }

  line(text = "") {
    this.out += `${text}\n`;
  }

  /** @param {Section} section */
  writeSection({ name, declarations, repeated, types }) {
    this.types = types;
    this.line(`\n## ${name}`);
    for (const { names, from } of repeated) {
      this.line(
        `\n${names === undefined ? "All exports" : names.map((one) => `\`${one}\``).join(", ")} of \`${from}\`.`,
      );
    }
    const values = declarations
      .filter(ts.isVariableStatement)
      .flatMap(({ declarationList }) => [...declarationList.declarations]);
    const constants = values.filter(({ type }) => type !== undefined);
    this.table(
      "constant",
      constants.map((node) => ({ name: nameOf(node), type: this.cell(node.type), text: about(node.parent.parent) })),
    );
    for (const node of declarations.filter(ts.isExportAssignment)) this.writeDefault(node);
    const sources = declarations.filter((node) => !ts.isVariableStatement(node));
    const functions = sources.filter(ts.isFunctionDeclaration);
    const classes = sources.filter(ts.isClassDeclaration);
    for (const [name, nodes] of overloads(functions)) this.writeFunction("###", name, nodes);
    for (const node of classes) this.writeClass(node);
    for (const node of values) {
      const members = frozenMembers(node);
      if (members === undefined) continue;
      this.line(`\n### ${nameOf(node)}\n\n${about(node.parent.parent)}`);
      this.members(members);
    }
    for (const node of sources) {
      if (ts.isInterfaceDeclaration(node)) this.writeInterface(node);
      else if (ts.isTypeAliasDeclaration(node)) this.writeAlias(node);
      else if (!ts.isFunctionDeclaration(node) && !ts.isClassDeclaration(node) && !ts.isExportAssignment(node))
        throw new Error(`not described: ${flat(node)}`);
    }
  }

  /**
   * The default export, a constant of the file.
   * @param {ts.ExportAssignment} node
   */
  writeDefault(node) {
    const constants = node.getSourceFile().statements.filter(ts.isVariableStatement);
    const declarations = constants.flatMap(({ declarationList }) => [...declarationList.declarations]);
    const constant = declarations.find((one) => nameOf(one) === node.expression.getText());
    if (constant === undefined) throw new Error(`not described: ${flat(node)}`);
    this.table("constant", [{ name: "default", type: this.cell(constant.type), text: about(constant.parent.parent) }]);
  }

  /**
   * @param {string} level
   * @param {string} name
   * @param {readonly Callable[]} nodes
   */
  writeFunction(level, name, nodes) {
    this.line(`\n${level} ${name.replace(/^\[(.*)\]$/, "$1")}`);
    const text = nodes.map(about).find(Boolean);
    if (text === undefined) throw new Error(`${name} has no docstring`);
    this.line(`\n${text}`);
    this.code(
      nodes.map((node) => this.signature(node)),
      [name],
    );
  }

  /**
   * Returns a signature as a program uses it.
   * @param {Callable} node
   */
  signature(node) {
    const name = node.name?.getText() ?? "new";
    /** @param {ts.Node | undefined} part */
    const text = (part) => part?.getText().replace(/\s+/g, " ") ?? "";
    const generics = node.typeParameters ? `<${node.typeParameters.map(text).join(", ")}>` : "";
    const result = node.type === undefined ? "" : `: ${text(node.type)}`;
    // A default value is not the caller's business.
    const parameters = node.parameters.map((one) =>
      one.initializer === undefined ? text(one) : `${text(one.name)}?: ${text(one.type)}`,
    );
    const line = `${name}${generics}(${parameters.join(", ")})${result}`;
    return line.length <= WIDTH
      ? line
      : `${name}${generics}(\n${parameters.map((one) => `  ${one},\n`).join("")})${result}`;
  }

  /** @param {ts.ClassDeclaration} node */
  writeClass(node) {
    this.line(`\n### ${nameOf(node)}\n\n${about(node)}`);
    const shown = node.members.filter((member) => !isHidden(member));
    this.code(
      shown
        .filter(ts.isConstructorDeclaration)
        .map((one) => this.signature(one).replace(/^new/, `new ${nameOf(node)}`)),
      [nameOf(node)],
    );
    this.members(shown.filter((one) => ts.isPropertyDeclaration(one) || ts.isGetAccessorDeclaration(one)));
    const methods = shown.filter(ts.isMethodDeclaration);
    for (const [name, nodes] of overloads(methods)) this.writeFunction("####", name, nodes);
  }

  /** @param {ts.InterfaceDeclaration} node */
  writeInterface(node) {
    this.line(`\n### ${node.name.text}`);
    const text = about(node);
    if (text === "") throw new Error(`${node.name.text} has no docstring`);
    this.line(`\n${text}`);
    const parents = (node.heritageClauses ?? []).flatMap(({ types }) => [...types]);
    if (parents.length > 0)
      this.line(`\nHas the members of ${parents.map((parent) => this.parent(parent)).join(" and ")} too.`);
    this.members(node.members);
  }

  /**
   * Returns the base type of an interface: a link, or the definition of an alias that is not exported.
   * @param {ts.ExpressionWithTypeArguments} node
   */
  parent(node) {
    const alias = this.types.get(node.expression.getText());
    if (alias !== undefined && !isExported(alias)) return `\`${flat(alias.type)}\``;
    return this.cell(node);
  }

  /** @param {ts.TypeAliasDeclaration} node */
  writeAlias(node) {
    this.line(`\n### ${node.name.text}`);
    const text = about(node);
    if (text === "") throw new Error(`${node.name.text} has no docstring`);
    this.line(`\n${text}`);
    const values = [...node.type.getFullText().matchAll(/\/\*\* (.*?) \*\/\s*\| "(\w+)"/g)];
    if (values.length > 0) {
      this.line("\n| value | meaning |\n|---|---|");
      for (const [, meaning, value] of values) this.line(`| \`${value}\` | ${escapeText(meaning)} |`);
      return;
    }
    const generics = node.typeParameters === undefined ? "" : `<${node.typeParameters.map(flat).join(", ")}>`;
    const head = `type ${node.name.text}${generics} =`;
    const line = `${head} ${flat(node.type)}`;
    const comments = node.type.getFullText().includes("/**");
    const source = node.type.getText();
    const lines = source.startsWith("|") ? `${head}\n  ${source}` : `${head} ${source}`;
    this.code([line.length <= WIDTH && !comments ? line : lines], [node.name.text]);
  }

  /**
   * A table of members. A method of an interface is a row.
   * @param {Iterable<any>} members
   */
  members(members) {
    const rows = [...members]
      .filter((member) => !isInternal(member))
      .map((member) => {
        const optional = member.questionToken === undefined ? "" : "?";
        const name = member.name?.getText().replace(/^"(.*)"$/, "$1") ?? flat(member);
        if (ts.isMethodSignature(member)) return { name: this.signature(member), type: undefined, text: about(member) };
        return {
          name: `${name}${optional}`,
          type: this.cell(member.type ?? member.initializer, optional !== ""),
          text: about(member),
        };
      });
    const methods = rows.filter(({ type }) => type === undefined);
    this.table(
      "member",
      rows.filter(({ type }) => type !== undefined),
    );
    if (methods.length > 0) {
      this.line("\n| method | meaning |\n|---|---|");
      for (const { name, text } of methods) this.line(`| \`${escapeText(name)}\` | ${escapeText(text)} |`);
    }
  }

  /**
   * @param {string} title
   * @param {readonly { name: string, type?: string, text: string }[]} rows
   */
  table(title, rows) {
    if (rows.length === 0) return;
    this.line(`\n| ${title} | type | meaning |\n|---|---|---|`);
    for (const { name, type, text } of rows)
      this.line(`| \`${escapeText(name)}\` | ${type} | ${escapeText(text).replace(/\n+/g, " ")} |`);
  }

  /**
   * Returns a type in a table: a link if the page describes it.
   * @param {ts.Node | undefined} node
   * @param {boolean} [isOptional]
   */
  cell(node, isOptional = false) {
    if (node === undefined) throw new Error("a member without a type");
    const text = isOptional ? flat(node).replace(/ \| undefined$/, "") : flat(node);
    const [, readonly, name, array] = text.match(/^(readonly )?(\w+)((?:\[\])?)$/) ?? [];
    if (!this.known.has(name)) return `\`${escapeText(text)}\``;
    return `${readonly ? "readonly " : ""}${this.link(name)}${array === "[]" ? " array" : ""}`;
  }

  /** @param {string} name */
  link(name) {
    return `[${name}](${PENDING}${name})`;
  }

  /** Returns the text with resolved links to types. Repeated headings have numbered anchors. */
  linked() {
    const times = new Map();
    const anchors = new Map();
    for (const [, title] of this.out.matchAll(/^#+ (.*)$/gm)) {
      const anchor = title
        .toLowerCase()
        .replaceAll(" ", "-")
        .replace(/[^\w-]/g, "");
      const time = times.get(anchor) ?? 0;
      times.set(anchor, time + 1);
      if (this.known.has(title)) anchors.set(title, time === 0 ? anchor : `${anchor}-${time}`);
    }
    return this.out.replace(new RegExp(`\\(${PENDING}(\\w+)\\)`, "g"), (_, name) => {
      if (!anchors.has(name)) throw new Error(`no heading for ${name}`);
      return `(#${anchors.get(name)})`;
    });
  }

  /**
   * Returns a block of code, and links to the types in it.
   * @param {string[]} texts
   * @param {readonly string[]} without
   */
  code(texts, without) {
    if (texts.length === 0) return;
    for (const name of new Set(texts.join(" ").match(/\b[A-Z]\w+/g))) {
      const hidden = this.types.get(name);
      if (hidden !== undefined && !isExported(hidden) && !without.includes(name) && !hidden.typeParameters)
        texts.push(`type ${name} = ${flat(hidden.type)}`);
    }
    this.line(`\n\`\`\`ts\n${texts.join("\n")}\n\`\`\``);
    const names = new Set(texts.join(" ").match(/\b[A-Z]\w+/g) ?? []);
    const links = [...names]
      .filter((name) => this.known.has(name) && !without.includes(name))
      .map((name) => this.link(name));
    if (links.length > 0) this.line(`\nTypes: ${links.join(", ")}.`);
  }
}

/**
 * Returns a text for a cell of a table: on one line, without the spaces that the formatter adds when it wraps.
 * @param {string} text
 */
const escapeText = (text) => {
  const line = text.replace(/\s+/g, " ").replaceAll("( ", "(").replaceAll(", )", ")");
  return line.replaceAll("|", "\\|");
};

/** Returns the text of the page. */
export const reference = () => new Page().write();

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(PAGE, reference());
