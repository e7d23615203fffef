// wrangler imports a file of HTML as its text.
declare module "*.html" {
  const text: string;
  export default text;
}
