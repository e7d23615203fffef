// The fields of a resource as columns and examples of conditions show them.

import type { ResourceModel } from "../fields.js";
import { innermost, type Field } from "../schema.js";

/** Returns the fields: instead of each declared object, the fields inside, such as `size.width`. */
export const queriedFields = ({ fields, content }: ResourceModel): Field[] =>
  fields.flatMap((field) => (content.includes(field) ? innermost([field]) : [field]));
