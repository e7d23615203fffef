// `resource-edge/react`: hooks for lists and forms.

export { type FormConflict, type ResourceForm, type ResourceFormOptions, useResourceForm } from "./hooks/form.js";
export { FormFields } from "./hooks/fields.js";
export type { FormField, FormList, FormValue } from "./hooks/form-fields.js";
export { type ListOptions, type ListTerm, type ResourceList, useList } from "./hooks/list.js";
export { useLive } from "./hooks/live.js";
