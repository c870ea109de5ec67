//! Compares the declarations of CUDA 12 with those of CUDA 13: which functions keep their ABI, which do not.

use std::collections::{BTreeMap, BTreeSet};

use quote::ToTokens;
use syn::Item;

use crate::headers::{Declared, Function, Layout};

/// Where a function of the newest headers is found in a 12.x library.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OnCuda12 {
    /// Under its own name, with the same ABI.
    Same,
    /// Under another name, with the same ABI.
    Named(String),
    /// Nowhere, or only with another ABI.
    Missing,
}

/// The comparison of two sets of declarations.
pub struct Comparison<'a> {
    pub old: &'a Declared,
    new: &'a Declared,
    /// Structs and unions whose bytes lie elsewhere, or that only one side has.
    pub changed_types: BTreeSet<String>,
    mentions: BTreeMap<String, BTreeSet<String>>,
}

impl<'a> Comparison<'a> {
    pub fn new(old: &'a Declared, new: &'a Declared) -> Self {
        let changed_types = old
            .layouts
            .iter()
            .filter(|(name, layout)| {
                let gains_anonymous_part =
                    new.item(name).is_some_and(|item| body(item).contains("__bindgen_anon"));
                new.layouts.get(*name).is_some_and(|other| !compatible(layout, other, gains_anonymous_part))
            })
            // The library creates these itself; only their size grew, and it is passed where it matters.
            .filter(|(name, _)| !(name.starts_with("cublasLt") && name.ends_with("Opaque_t")))
            .map(|(name, _)| name.clone())
            .collect();
        let mut mentions: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for declared in [old, new] {
            for (name, item) in &declared.types {
                mentions.entry(name.clone()).or_default().extend(words(&body(item)));
            }
        }
        Self { old, new, changed_types, mentions }
    }

    /// Where the function of the newest headers is found on 12.x.
    pub fn on_cuda12(&self, function: &Function) -> OnCuda12 {
        if self.touches_changed_type(function) {
            return OnCuda12::Missing;
        }
        let same = |name: &str| self.old.function(name).is_some_and(|old| old.types() == function.types());
        if same(&function.name) {
            return OnCuda12::Same;
        }
        ["_v2", "_v3"]
            .iter()
            .map(|suffix| format!("{}{suffix}", function.name))
            .find(|name| same(name))
            .map_or(OnCuda12::Missing, OnCuda12::Named)
    }

    /// The functions of the 12.x headers that the newest ones lack or declare otherwise.
    pub fn only_in_cuda12(&self) -> Vec<&'a Function> {
        self.old
            .functions
            .iter()
            .filter(|old| {
                self.touches_changed_type(old)
                    || self.new.function(&old.name).is_none_or(|new| new.types() != old.types())
            })
            .collect()
    }

    /// The 12.x types that the newest headers lack or lay out otherwise, with the parts they are made of.
    pub fn types_only_in_cuda12(&self) -> Vec<&'a (String, Item)> {
        let changed = |name: &str| {
            self.changed_types.iter().any(|c| name == c || name.starts_with(&format!("{c}__bindgen")))
        };
        let known = |name: &str| self.new.types.iter().any(|(new, _)| new == name);
        self.old.types.iter().filter(|(name, _)| changed(name) || !known(name)).collect()
    }

    fn touches_changed_type(&self, function: &Function) -> bool {
        let mut open: Vec<String> = function.types().into_iter().flat_map(words).collect();
        let mut seen = BTreeSet::new();
        while let Some(name) = open.pop() {
            if self.changed_types.contains(&name) {
                return true;
            }
            if seen.insert(name.clone()) {
                open.extend(self.mentions.get(&name).into_iter().flatten().cloned());
            }
        }
        false
    }
}

/// Whether code built for the one layout may be handed the other: same extent, and every field in its place.
/// A field may have moved into an anonymous part that the newer type has.
fn compatible(old: &Layout, new: &Layout, anonymous_part: bool) -> bool {
    let fields = |layout: &Layout| -> BTreeMap<String, u64> {
        layout.offsets.iter().filter(|(name, _)| !is_padding(name)).map(|(n, o)| (n.clone(), *o)).collect()
    };
    let (old_fields, new_fields) = (fields(old), fields(new));
    old.size == new.size
        && old.align == new.align
        && old_fields
            .iter()
            .all(|(name, offset)| new_fields.get(name).map_or(anonymous_part, |new| new == offset))
}

fn is_padding(field: &str) -> bool {
    field.contains("reserved") || field.contains("pad")
}

/// The text of an item without its name and attributes, so that only what it is made of is left.
fn body(item: &Item) -> String {
    match item {
        Item::Struct(item) => item.fields.to_token_stream().to_string(),
        Item::Union(item) => item.fields.to_token_stream().to_string(),
        Item::Type(item) => item.ty.to_token_stream().to_string(),
        other => other.to_token_stream().to_string(),
    }
}

fn words(text: &str) -> Vec<String> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}
